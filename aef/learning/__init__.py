"""Experiments on a user's own corpus: which features, which learner, the thesis's study."""
