"""Where the names that were found begin and end, and which of them are no names."""
