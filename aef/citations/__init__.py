"""Cited cases, laws and books: names in them are nobody's to hide."""
