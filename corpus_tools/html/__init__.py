"""Rulings in HTML: written byte for byte as they were but for what is replaced, and for what stands beside the text."""
