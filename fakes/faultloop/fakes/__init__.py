"""The fakes: scripted providers and a fake world, the only witnesses of a play."""
