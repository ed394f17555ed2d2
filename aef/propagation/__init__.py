"""Hidden once, hidden everywhere: what was found in one place of a ruling is found in the others."""
