"""What the text around a name tells of its bearer: cues, lines, labels, judicial panels."""
