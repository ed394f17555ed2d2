"""An original ruling and its anonymized version: what was hidden, under which label, and what was missed."""
