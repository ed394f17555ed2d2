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
# # 8. Promises, and what a model remembers
#
# Two questions that a court asks before it lets a model out of the house: does it hold our names? And how much will it
# miss?

# %%
# %matplotlib inline
from pathlib import Path
from tempfile import mkdtemp

import matplotlib.pyplot as plt
import numpy as np
from exercise import check

import aef
from aef.corpus_tools import handwritten
from aef.evaluation.calibration import CUTS, Curves, conformal_risk_control
from aef.verification.model_audit import held

gold = handwritten.rulings(half="open")[::13]
train, aside, test = gold[:12], gold[12:30], gold[30:]
free = aef.Finder("nine", target="person", threshold=0.3).fit(train)
loose = aef.Finder("nine", target="person", threshold=0.3, names_free=False).fit(train)

# %% [markdown]
# ## What it remembers
#
# "The word before" has a word as its value. Learned from originals, a model holds the names that stood beside names:

# %%
folder = Path(mkdtemp())
surnames = {
    word for ruling in train for m in ruling.mentions if m.entity_type == "PERSON" for word in ruling.cut(m).split()
}


def names_in(finder, name):
    """The words of people's names that the file of a model holds."""
    finder.save(folder / name)
    return {word for one in held(folder / name) for word in one.string.split()} & surnames


kept = {"as learned": names_in(loose, "loose.aef"), "names kept out": names_in(free, "free.aef")}
print({name: (len(words), sorted(words)[:6]) for name, words in kept.items()})
for name, finder in (("as learned", loose), ("names kept out", free)):
    print(f"{name}: F2 {100 * aef.evaluate(test, finder, target='person').micro['f2']:.1f}")

# %% [markdown]
# ## What it will miss
#
# Of each ruling kept aside: the share of its people that are missed, for every threshold. Conformal risk control takes
# the highest threshold at which $\frac{n}{n+1}\hat R + \frac{1}{n+1} \le \alpha$.

# %%
losses, tested = (Curves.of(free, rulings).losses("entities") for rulings in (aside, test))
alpha = 0.15
chosen = conformal_risk_control(losses, alpha)
probability = 1 / (1 + np.exp(-CUTS))
figure, ax = plt.subplots(figsize=(6.5, 3.8))
ax.plot(probability, 100 * losses.T, color="#bbbbbb", lw=0.7)
ax.plot(probability, 100 * losses.mean(axis=0), color="#0072B2", lw=2, label="mean of the rulings kept aside")
ax.axhline(100 * alpha, ls="--", color="#D55E00", label="the promise: 15% on average")
if chosen is not None:
    ax.axvline(probability[chosen], ls=":", color="#009E73", label=f"hide from {probability[chosen]:.3f} on")
ax.set(xlabel="threshold", ylabel="% of people missed", xscale="log")
ax.legend(fontsize=8)
plt.show()

# %% [markdown]
# ## Exercises
#
# **1.** The formula by hand: with the rulings in `aside`, what is the largest mean share missed (`R`) that allows the
# promise of 15%?

# %% tags=["exercise"]
largest = ...

# %%
check(
    largest,
    lambda r: abs(r - (0.15 * (len(aside) + 1) - 1) / len(aside)) < 1e-6,
    "Solve the inequality above for R; n is len(aside).",
)

# %% [markdown]
# **2.** How many rulings does the promise of 5% take at least, though none of them has a miss?

# %% tags=["exercise"]
needed = ...

# %%
check(needed, lambda n: n == 19, "R is 0 then.")

# %% [markdown]
# **3.** `tested` is of `test` what `losses` is of `aside`. What is the mean share of people missed there at the chosen
# threshold (from 0 to 1)?

# %% tags=["exercise"]
missed = ...

# %%
check(missed, lambda share: abs(share - tested.mean(axis=0)[chosen]) < 1e-6, "The column is `chosen`.")
