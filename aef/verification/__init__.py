"""Whether a hidden name survives anywhere: in a written file, in a ruling's text, in a model."""
