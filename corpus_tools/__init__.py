"""Rulings in and out: documents, readers and writers, tokens, alignment, gold-corpus formats, sample rulings."""
