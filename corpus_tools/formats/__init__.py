"""Formats by suffix: the registry where one is added, and those of a module each: plain text, OpenDocument, PDF."""
