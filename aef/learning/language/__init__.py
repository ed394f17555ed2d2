"""A new language: word lists induced from a gold corpus for a person to go over, and what is missing in a folder."""
