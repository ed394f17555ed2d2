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
# # 2. Looking at tokens
#
# A classifier sees of a word what you tell it to look at: its *features*. Each is a small function. Here you look at
# tokens as a model does, and write a feature of your own.

# %%
# %matplotlib inline
import matplotlib.pyplot as plt
import numpy as np
from exercise import check

import aef
from aef.corpus_tools import handwritten
from aef.features import REGISTRY

gold = handwritten.rulings("canadian_family", half="open")
print(len(gold), "rulings,", sum(len(ruling.words) for ruling in gold), "tokens")

# %% [markdown]
# The thesis's 35 features, on a sentence. A predicate without a value is active or not; one with a value carries a
# word.

# %%
sentence = aef.Document.from_text("The mother, Ms. Zwetkow, was born on June 13, 1995.")
extractor = aef.FeatureExtractor("thesis")
events = extractor.fit_transform([sentence])
names = list(extractor.get_feature_names_out())
for word, row in zip(sentence.words, events, strict=False):
    print(f"{word:<10}", *(name for name, code in zip(names, row, strict=True) if code >= 0))

# %% [markdown]
# What is a feature worth? Ask two things of each: on how many tokens is it active, and how many of those are to be
# hidden?

# %%
extractor = aef.FeatureExtractor("thesis", target="person")
events, hidden = extractor.fit_transform(gold), extractor.labels(gold) == "A"
active = events >= 0
coverage, purity = active.mean(axis=0), np.array([hidden[on].mean() if on.any() else 0 for on in active.T])
figure, ax = plt.subplots(figsize=(7, 4.6))
ax.scatter(100 * coverage, 100 * purity, color="#0072B2", s=20)
places = {}
for name, x, y in zip(extractor.get_feature_names_out(), coverage, purity, strict=True):
    if y > 0.08:  # what lies in one place shares a label
        places.setdefault((round(np.log10(x), 1), round(y, 1)), [x, y]).append(name)
for x, y, *there in places.values():
    ax.annotate("\n".join(there), (100 * x, 100 * y), xytext=(3, 3), textcoords="offset points", fontsize=8)
ax.set(xlabel="active on % of tokens", ylabel="of these to be hidden, %", xscale="log")
plt.show()

# %% [markdown]
# ## Exercises
#
# **1.** Which feature of the thesis has the highest purity here, among those active on at least a hundred tokens and
# not looking at labels? (Its name; `REGISTRY[name].sequential` says whether it looks at labels.)

# %% tags=["exercise"]
purest = ...

# %%
check(purest, "68b37847", "active.sum(axis=0) counts, purity is above.")

# %% [markdown]
# **2.** Write a feature `AfterChild` that is active on a capitalized word whose neighbour before is "child", "son" or
# "daughter", with a docstring. (`@aef.feature(when=str.istitle)` and a parameter `before`.)

# %% tags=["exercise"]
AfterChild = ...


# %%
def finds_children(function):
    made = aef.FeatureExtractor("AfterChild").fit_transform([aef.Document.from_text("Her son Pawel saw a child run.")])
    return "AfterChild" in REGISTRY and (made[:, 0] >= 0).tolist() == [False, False, True, False, False, False, False]


check(AfterChild, finds_children, "The name of the function is the name of the feature.")

# %% [markdown]
# **3.** What is never seen cannot be learned. How many of the thesis's features are active on none of these
# tokens?

# %% tags=["exercise"]
silent = ...

# %%
check(silent, "4e074085", "active has a column a feature.")
