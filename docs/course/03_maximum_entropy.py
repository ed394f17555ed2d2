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
# # 3. Maximum entropy
#
# Of all distributions that agree with the counts of the training corpus, take the one that assumes nothing else: of the
# greatest entropy. It has the form
#
# $$p(A \mid x) = \frac{1}{1 + \exp(-\lambda_0 - \sum_i \lambda_i f_i(x))}$$
#
# and its weights are those of the highest likelihood. Two ways lead up that hill.

# %%
# %matplotlib inline
import matplotlib.pyplot as plt
import numpy as np
from exercise import check

import aef
from aef.corpus_tools import handwritten
from aef.evaluation import pictures

gold = handwritten.rulings("english_family", half="open")
extractor = aef.FeatureExtractor("nine", target="person")
events, labels = extractor.fit_transform(gold), extractor.labels(gold)
print(f"{len(events)} events of nine features, {np.mean(labels == 'A'):.1%} of them A")

# %% [markdown]
# **Generalized Iterative Scaling** (the thesis's) compares for each predicate how often it was seen with how often the
# model expects it, and moves every weight a little. **Newton's method** looks at the curvature, too, and takes few,
# large steps. The likelihood, climbing:


# %%
def likelihood(classifier):
    """The log-likelihood of the training events under a classifier."""
    probability = classifier.predict_proba(events)
    return float(np.log(probability[np.arange(len(labels)), np.searchsorted(classifier.classes_, labels)]).sum())


gis = [likelihood(stage) for stage in aef.MaxEntClassifier(solver="gis", iterations=200).staged_fit(events, labels)]
steps = range(1, 13)
newton = [likelihood(aef.MaxEntClassifier(C=1000, max_iter=step).fit(events, labels)) for step in steps]
figure, ax = plt.subplots(figsize=(6.5, 4))
ax.plot(range(1, 201), gis, color="#D55E00", label="GIS")
ax.plot(steps, newton, "o-", ms=4, color="#0072B2", label="Newton (hardly any penalty)")
ax.axvline(50, ls=":", color="#777777", label="the thesis stops here")
ax.set(xlabel="iterations", ylabel="log-likelihood of the training events", xscale="log")
ax.legend()
plt.show()

# %% [markdown]
# What was learned, the heaviest predicates first:

# %%
model = aef.MaxEntClassifier(C=1.0).fit(events, labels)
log_odds = model.weights_[:, 0] - model.weights_[:, 1]
predicates = [
    f"{name}={value}" if value else name
    for (name, numbers), seen in zip(extractor.vocabulary_.items(), model.categories_, strict=True)
    for value in np.array(list(numbers), dtype=object)[seen.astype(int)]
]
pictures.weights(dict(zip(predicates, log_odds, strict=True)), top=10)

# %% [markdown]
# ## Exercises
#
# **1.** The model agrees with the counts. Let `model` have hardly any penalty (`C=1000`). By how much does the number
# of A that it expects in all events differ from the number there is? (An absolute difference, below 0.5.)

# %% tags=["exercise"]
difference = ...

# %%
check(difference, lambda d: 0 <= d < 0.5, "Sum predict_proba[:, 0] over the events, and count the labels.")

# %% [markdown]
# **2.** Compute the probability of A of event number 1000 by hand: from `intercept_` and the weights of its active
# predicates. (`model` with `C=1.0`. `weights_` and `intercept_` hold half of the log-odds for each class.)

# %% tags=["exercise"]
by_hand = ...

# %%
check(by_hand, lambda p: abs(p - model.predict_proba(events[1000:1001])[0, 0]) < 1e-6, "Log-odds, then the logistic.")

# %% [markdown]
# **3.** GIS stopped after 50 rounds is a restraint, and so is the penalty. On rulings that were not learned from, which
# `C` of 0.01, 0.1, 1, 10 and 100 has the highest likelihood? Learn from the first seven rulings, judge by the others.

# %% tags=["exercise"]
best = ...

# %%
check(best, "6b86b273", "extractor.groups(gold) < 7 are the events to learn from.")
