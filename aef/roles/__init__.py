"""Who is what in a ruling, and therefore who is hidden: classifier, second pass, metadata, policy."""
