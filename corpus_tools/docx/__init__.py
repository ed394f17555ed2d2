"""Rulings in DOCX, read and written with their formatting: made safe beside their text, too; review copies."""
