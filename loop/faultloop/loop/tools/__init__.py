"""Tools: the port, and clients for tools that live elsewhere."""
