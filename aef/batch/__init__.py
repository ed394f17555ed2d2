"""Many rulings: a folder of them anonymized into another, in parallel, from where it was stopped, with a report.

`recipe` says how, `rulings` which there are and which belong to one case, `work` anonymizes a unit of them in a
worker, `pools` are the workers, `state` is what survives a crash, `publishing` gives the outputs their names, `run`
puts it together.
"""
