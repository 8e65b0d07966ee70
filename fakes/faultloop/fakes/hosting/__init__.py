"""Hosting: the fake provider for whoever asks, not only for loops that are played.

    async with Host(Hosting(script)) as host:    on the event loop that is running
    with HostThread(Hosting(script)) as host:    beside it, on a thread of its own

A script is data (`HostedScript`); every conversation has a URL of its own, begins the script by
itself when it is first touched, and shares nothing with the others. Reading scripts from files is
not done here: what can is given to `Hosting` as `read`.
"""

from __future__ import annotations

from faultloop.fakes.hosting.base_urls import BaseUrls
from faultloop.fakes.hosting.conversations import Hosting, NoScript
from faultloop.fakes.hosting.hosted import Hosted, Received, Summary
from faultloop.fakes.hosting.hosted_script import BadScript, HostedScript
from faultloop.fakes.hosting.servers import Host, HostThread

__all__ = [
    "BadScript",
    "BaseUrls",
    "Host",
    "HostThread",
    "Hosted",
    "HostedScript",
    "Hosting",
    "NoScript",
    "Received",
    "Summary",
]
