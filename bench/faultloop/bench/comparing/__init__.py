"""`faultloop compare` and `faultloop wordings`: wordings of tool contracts beside each other."""
