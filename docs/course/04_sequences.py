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
# # 4. Sequences and history
#
# Names come in runs: after a hidden word the next one is likely hidden, too. Features that look at the *label before*
# know that. In training the label before is gold; when a new ruling is tagged it is a guess. That difference is this
# notebook.

# %%
# %matplotlib inline
import matplotlib.pyplot as plt
import numpy as np
from exercise import check

import aef
from aef.corpus_tools import handwritten
from aef.features import REGISTRY

gold = handwritten.rulings("european", half="open")
train, test = gold[:14], gold[14:]
print([name for name, feature in REGISTRY.items() if feature.sequential])

# %% [markdown]
# C7 asks whether the word before is labelled A, C8 the same of the second word before. Learn every name of a person,
# with them and without, and tag from left to right:


# %%
def f2(features):
    finder = aef.Finder(features, target="names", threshold=0.4, consistency=False).fit(train)
    return 100 * aef.evaluate(test, finder, target="names", bootstrap=0).micro["f2"]


plain, sequential = "W-1,W1,FirstCap", "W-1,W1,FirstCap,C7,C8"
print(f"F2 without history {f2(plain):.1f}, with C7 and C8 {f2(sequential):.1f}")

# %% [markdown]
# Worse, by far! The model learned from gold labels that a name goes on where a name has begun, and leans on that. When
# it tags it has its own labels alone: where it misses a beginning it misses the rest. (The thesis's corpus was kinder
# to these features. A way out is the chain of `aef evaluate --learner crf`, which weighs whole sentences.)

# %% [markdown]
# ## The leak
#
# A selector that scores candidates on *gold* labels before sees something that no new ruling has. Compare for each
# history feature the F2 by gold history with the F2 by decoded history:


# %%
def by_gold_history(features):
    """F2 of tokens where features that look at labels are fed the gold ones."""
    extractor = aef.FeatureExtractor(features, target="names")
    model = aef.MaxEntClassifier().fit(extractor.fit_transform(train), extractor.labels(train))
    hidden = model.predict_proba(extractor.transform(test))[:, 0] >= 0.4
    right = extractor.labels(test) == "A"
    tp, fp, fn = (hidden & right).sum(), (hidden & ~right).sum(), (~hidden & right).sum()
    return 100 * 5 * tp / (5 * tp + 4 * fn + fp)


base = "W-1,W1,FirstCap"
sets = {"no history": base, "C7": f"{base},C7", "C7, C8": f"{base},C7,C8", "Anony": f"{base},Anony"}
leaked, decoded = ([measure(names) for names in sets.values()] for measure in (by_gold_history, f2))
figure, ax = plt.subplots(figsize=(6.5, 3.2))
place = np.arange(len(sets))
ax.barh(place - 0.2, leaked, 0.38, color="#D55E00", label="gold history: a leak")
ax.barh(place + 0.2, decoded, 0.38, color="#0072B2", label="decoded history")
ax.set_yticks(place, sets)
ax.set(xlabel="F2, %")
ax.invert_yaxis()
ax.legend()
plt.show()

# %% [markdown]
# ## Exercises
#
# **1.** Which of the sets would a leaking selector take, and which an honest one? (Two names of `sets`, in that order.)

# %% tags=["exercise"]
choices = ...

# %%
check(
    choices,
    lambda c: c == (list(sets)[int(np.argmax(leaked))], list(sets)[int(np.argmax(decoded))]),
    "The longest bar of each colour.",
)

# %% [markdown]
# **2.** Greedy decoding in five lines. Given `step(word, label_before) -> probability`, label a list of words from left
# to right with a threshold of one half. Before the first word the label is `False`.


# %%
def step(word, label_before):
    return 0.9 if word in ("Anna", "Bo") else 0.6 if label_before and word[0].isupper() else 0.1


# %% tags=["exercise"]
decode = ...

# %%
words = ["Then", "Anna", "Maria", "Zwetkow", "met", "Bo", "Quist", "in", "Lyme"]
check(
    decode,
    lambda f: f(words, step) == [False, True, True, True, False, True, True, False, False],
    "Keep the last label in a variable.",
)

# %% [markdown]
# **3.** A mistake is passed on. Of `words`, let `step` miss "Anna" (probability 0.3). How many words are labelled now?

# %% tags=["exercise"]
labelled = ...

# %%
check(labelled, "d4735e3a", "Only the run after Bo is left.")
