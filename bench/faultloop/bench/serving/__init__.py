"""`faultloop serve` and the fixture `fake_provider`: the fake provider for everybody's clients.

Here scripts are read and the command is told; the serving itself is `fakes.hosting`.
"""
