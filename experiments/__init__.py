"""The studies: each reproduces a table or figure of a paper or measures one promise, and prints it."""
