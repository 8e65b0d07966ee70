"""The fake world over MCP: the same tools, history, ledger and faults as contract v1 over HTTP."""
