"""Rulings in and out: any file opened by its suffix, and written again."""
