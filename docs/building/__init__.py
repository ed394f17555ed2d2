"""What the site is made of that no hand writes: pages from registries and parsers, and formulas as MathML."""
