"""What a file says beside its text: what of that tells a hidden name, and which words are the format's own."""
