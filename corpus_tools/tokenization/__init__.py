"""Words and sentences with exact offsets into the text: it is cut at white space, and what it is cut into cleaned."""
