"""Which tokens must be hidden: the finder, its training, its second pass, its model file, its privacy."""

PRESETS = {"balanced": 1.0, "f2": 2.0, "safe": 3.8}
"""Ways to decide from a probability, stored in a model and chosen when tagging, and the beta of the F-beta that each
maximizes: a miss weighs as much as beta squared false alarms."""
