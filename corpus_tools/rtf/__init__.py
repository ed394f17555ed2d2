"""Rulings in Rich Text Format, read and written with their formatting."""
