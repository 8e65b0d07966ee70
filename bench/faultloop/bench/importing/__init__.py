"""`faultloop import`: tasks and wordings of others, as files that `faultloop compare` reads."""
