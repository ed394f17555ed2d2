"""Gold corpora in and out, whatever the format: JSON Lines, CoNLL, CoNLL-U Plus, brat, doccano and others."""
