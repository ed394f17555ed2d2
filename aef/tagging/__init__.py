"""Which tokens must be hidden: the finder, its training, its second pass, its model file, its privacy."""
