"""Who is what in a ruling, and therefore who is hidden: classifier, metadata, policy."""
