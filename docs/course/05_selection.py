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
# # 5. Selection as a conversation
#
# Which features are worth having? Asking each alone is not enough: two may say the same, and two may say together what
# neither says alone. Sequential Forward Floating Selection talks it over: who adds most to those who are in? And is
# anybody in who is better gone now?

# %%
# %matplotlib inline
from math import comb

from exercise import check

import aef
from aef import lexicons
from aef.corpus_tools import handwritten
from aef.features import feature_names
from aef.learning.selection import Criterion
from aef.learning.selection.plot import gains

gold = handwritten.rulings("european", half="open")
names = feature_names("thesis")
criterion = Criterion(gold, names, "names", lexicons.load_all("en"), folds=5)


def f2(*features):
    """The mean F2 over five folds of a set of features, in percent."""
    return 100 * criterion.evaluate([names.index(name) for name in features])[0].f2


alone = sorted(((f2(name), name) for name in names), reverse=True)
print("alone:", ", ".join(f"{name} {value:.1f}" for value, name in alone[:5]))

# %% [markdown]
# The search, to eight features. `add` and `drop` are the turns of the conversation:

# %%
selection = aef.select(criterion, k=8)
for step in selection.path:
    print(f"{step.action:<5}{100 * step.score.f2:5.1f}  {', '.join(step.features)}")
selection.plot()

# %% [markdown]
# A gain is a mean over five folds of a few rulings. How sure is it? The interval says:

# %%
two = list(selection.best[2].features)
others = ["W0", "W1", "CommonWord", "C4", "AllCaps", "FirstWord", "MonthName"]
gains(criterion, two, [name for name in others if name not in two])

# %% [markdown]
# ## Exercises
#
# **1.** Which feature, added to `C4` alone, gives the best pair? (A name. Ask `f2`.)

# %% tags=["exercise"]
partner = ...

# %%
check(partner, "feaaced3", "max over all other names.")

# %% [markdown]
# **2.** Find a pair in which one feature alone is worth nothing (F2 0), and which is better than the other alone by a
# point at least. (A tuple: the worthless one first.)

# %% tags=["exercise"]
pair = ...


# %%
def worthless_alone(found):
    first, second = found
    return f2(first) == 0 and f2(first, second) > f2(second) + 1


check(pair, worthless_alone, "FirstWord, CommonWord, W-1 ... know when a capital says nothing.")

# %% [markdown]
# **3.** How many evaluations did the search take, and how many would all sets of up to eight of 35 features take? (The
# second number divided by the first, rounded down; `selection.evaluations`, `comb`.)

# %% tags=["exercise"]
times = ...

# %%
all_sets = sum(comb(len(names), k) for k in range(1, 9))
check(times, lambda n: n == all_sets // selection.evaluations, "comb(35, k) sets have k features.")
