# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     name: python3
#   language_info:
#     name: python
#     pygments_lexer: ipython3
# ---

# %% [markdown]
# # 6. Errors and consistency
#
# A miss is published; a false alarm costs an editor a moment. One number for both hides what you need to know. Here you
# look at the errors of a model of names one by one, choose where to cut, and let the ruling as a whole correct single
# words.

# %%
# %matplotlib inline
from exercise import check

import aef
from aef.corpus_tools import handwritten
from aef.evaluation import pictures

gold = handwritten.rulings("european", half="open")
train, test = gold[:14], gold[14:]
finder = aef.Finder("rich", target="names").fit(train)
found = finder.tag_all(test)
result = aef.evaluate(test, found, target="names")
print(result.table())

# %% [markdown]
# What was missed, and what was hidden wrongly?

# %%
for error in [*result.misses(width=30)[:4], *result.false_alarms(width=30)[:4]]:
    print(f"{'miss ' if error.entity_type else 'wrong'} ...{error.before} [{error.text}] {error.after}...")

# %% [markdown]
# Every threshold is a compromise; the presets are three of them.

# %%
pictures.precision_recall(finder, test)

# %% [markdown]
# Is the probability to be believed? Of the tokens with 0.3, three of ten should be names.

# %%
pictures.calibration(finder, test, bins=8)

# %% [markdown]
# ## Exercises
#
# **1.** The preset `safe` finds more. How many tokens does it miss of `test`, and how many does `balanced`? (Two
# numbers. `finder.set_preset(...)`, then tag and evaluate; `counts["fn"]`.)

# %% tags=["exercise"]
missed = ...


# %%
def count_misses(preset):
    finder.set_preset(preset)
    return aef.evaluate(test, finder.tag_all(test), target="names", bootstrap=0).counts["fn"]


check(missed, lambda m: tuple(m) == (count_misses("safe"), count_misses("balanced")), "safe first.")

# %% [markdown]
# **2.** Consistency hides everywhere in a ruling what is surely found once. Turn it off (`finder.consistency = False`)
# with the preset `f2`. How many *entities* more are missed than with it?

# %% tags=["exercise"]
more = ...


# %%
def entities_missed(consistency):
    finder.set_preset("f2")
    finder.consistency = consistency
    counts = aef.evaluate(test, finder.tag_all(test), target="names", bootstrap=0).counts
    finder.consistency = True
    return counts["entities"] - counts["entities_found"]


check(more, lambda n: n == entities_missed(False) - entities_missed(True), "counts has entities and entities_found.")

# %% [markdown]
# **3.** An editor says: a miss costs me as much as nineteen false alarms. From which probability on is hiding a word
# worth it?

# %% tags=["exercise"]
cut = ...

# %%
check(cut, lambda p: abs(p - 1 / 20) < 1e-9, "Hide where p times 19 is more than (1 - p) times 1.")
