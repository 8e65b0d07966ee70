"""`faultloop lint`: tools from wherever they are declared, judged by the loop's linter (SPEC C8).

A target is a file of contracts or of tools in a provider's form, or `module:registry`; a command
can start an MCP server whose tools are listed. All targets of one run are judged together, as if a
model were offered them together: that is when names and descriptions clash.

BadTarget       the target cannot be read as tools; the user is at fault
"""
