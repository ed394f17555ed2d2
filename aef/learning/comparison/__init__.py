"""Other ways to find what must be hidden, on the same features and document folds: the thesis's future work.

A system is a class made from `Options`, with ``fit(documents)`` where it learns and ``tag(document)``; a line of
`aef.learning.comparison.systems.SYSTEMS` makes it known. Learners that score tokens derive from `Scoring`, which
chooses their threshold, decodes and writes mentions alike for all.
"""
