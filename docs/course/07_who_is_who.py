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
# # 7. Who is who
#
# "****" for everybody leaves no story. So the mentions of one person must be known to be one: *Anna Zwetkow*, *Ms.
# Zwetkow*, *A. Zwetkow*; and *Mr. Zwetkow* is somebody else.

# %%
# %matplotlib inline
import matplotlib.pyplot as plt
import numpy as np
from exercise import check

import aef
from aef.corpus_tools import handwritten
from aef.evaluation import pictures
from aef.names.distances import resolve

gold = handwritten.rulings(half="open")[::6]
people = [ruling.with_mentions(m for m in ruling.mentions if m.entity_type == "PERSON") for ruling in gold]
print(sum(len(ruling.mentions) for ruling in people), "mentions in", len(people), "rulings")

# %% [markdown]
# Garat and Wonsever cluster names by a distance of strings. The overlap of words, on one ruling:

# %%
names = {people[1].cut(mention) for mention in people[1].mentions}
pictures.clusters(sorted(names)[:18], distance="overlap", threshold=0.45)

# %% [markdown]
# Where to cut? Cut low, and one person becomes two; cut high, and two become one. The sweep shows it:


# %%
def figures(**how):
    """The means over documents of how well persons are told."""
    return aef.link(people, **how).evaluate(people).macro


thresholds = np.arange(0.05, 1.0, 0.15).round(2)
sweep = [figures(distance="overlap", threshold=float(t)) for t in thresholds]
ours = figures()
figure, ax = plt.subplots(figsize=(6.5, 3.8))
for name, colour in (("homogeneity", "#009E73"), ("completeness", "#D55E00"), ("ari", "#0072B2")):
    ax.plot(thresholds, [one[name] for one in sweep], "o-", ms=4, color=colour, label=f"{name}, overlap")
ax.axhline(ours["ari"], ls="--", color="#0072B2", label="ari, ours: names have parts")
ax.set(xlabel="threshold", ylabel="mean over rulings", ylim=(0, 1.02))
ax.legend(loc="lower left", fontsize=8)
plt.show()

# %% [markdown]
# ## Exercises
#
# **1.** Write the overlap distance: one minus the number of words that two names share, divided by the number of words
# of the shorter one.

# %% tags=["exercise"]
overlap = ...

# %%
known = resolve("overlap")
samples = [("anna zwetkow", "zwetkow"), ("anna zwetkow", "bo zwetkow"), ("bo quist", "anna zwetkow")]
check(overlap, lambda f: all(abs(f(a, b) - known(a, b)) < 1e-9 for a, b in samples), "Sets of words.")

# %% [markdown]
# **2.** Husband and wife: what does `aef.link` make of the surname alone, where two bear it? Look at `to_frame()` and
# give the number of entities.

# %%
text = "Anna Hale and Peter Hale married in 1990. Hale left in 2001. Ms. Hale stayed."
places = [(0, 9), (14, 24), (42, 46), (65, 69)]
couple = aef.Document.from_text(text, "couple", [aef.Mention(a, b, "PERSON") for a, b in places])

# %% tags=["exercise"]
entities = ...

# %%
check(entities, lambda n: n == len(aef.link(couple).to_frame()), "aef.link(couple); the frame has a row an entity.")

# %% [markdown]
# **3.** Which threshold of the sweep is best by ARI?

# %% tags=["exercise"]
best = ...

# %%
check(best, lambda t: t == thresholds[int(np.argmax([one["ari"] for one in sweep]))], "np.argmax.")
