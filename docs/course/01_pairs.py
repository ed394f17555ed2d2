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
# # 1. From pairs to gold
#
# An editor has the ruling as the court wrote it, and makes the one that is published. Whoever has both has labels for
# every word, for nothing: *hidden* or *not*. Here you make a gold corpus of twelve pairs, and find what the editors
# missed. (One is in the text below: do you see it?)

# %%
# %matplotlib inline
from pathlib import Path
from tempfile import mkdtemp

import matplotlib.pyplot as plt
from exercise import check

import aef
from aef.corpus_tools.samples import built_in, write_pairs

folder = Path(mkdtemp())
pairs = write_pairs(folder, built_in())
original, published = (aef.read(path) for path in pairs[2])
print(original.text[336:610], "\n...\n", published.text[306:560], sep="")

# %% [markdown]
# Paragraphs are paired first, then their words. What changed is hidden; what became of it is the label.

# %%
alignment = aef.align(original, published)
for mention in alignment.document.mentions[:8]:
    print(f"{alignment.document.cut(mention):<24}{mention.entity_type or '?':<9}{mention.extra['replacement']}")

# %% [markdown]
# The same for all pairs: a gold corpus. How much of a ruling is hidden?

# %%
alignments = [aef.align(aef.read(a), aef.read(b)) for a, b in pairs]
gold = [alignment.document for alignment in alignments]
shares = [100 * one.counts["tokens_a"] / one.counts["tokens"] for one in alignments]
figure, ax = plt.subplots(figsize=(6.5, 3))
ax.bar(range(1, 13), shares, color="#0072B2")
ax.set(xlabel="ruling", ylabel="% of tokens hidden", xticks=range(1, 13))
plt.show()

# %% [markdown]
# ## Exercises
#
# **1.** How many tokens are hidden in all twelve rulings together?

# %% tags=["exercise"]
hidden = ...

# %%
check(hidden, "9f273a34", "counts has what you need, and there are twelve of them.")

# %% [markdown]
# **2.** Editors miss names. The alignment tells: `alignment.findings`, those of the kind `missed`. Which rulings (their
# numbers from 1 to 12, as a set) have a missed name?

# %% tags=["exercise"]
careless = ...

# %%
check(careless, "bf96991e", "Look at finding.kind of each alignment.")

# %% [markdown]
# **3.** Be the editor. Write the published version of this sentence so that the alignment finds exactly two mentions,
# one of three words and one of one.

# %%
sentence = "[1] The respondent, Mr. Dieter von Allmen, left Windsor in May and has not come back since then."

# %% tags=["exercise"]
mine = ...


# %%
def lengths(text):
    made = aef.align(aef.Document.from_text(sentence), aef.Document.from_text(text)).document
    return sorted(len(made.cut(mention).split()) for mention in made.mentions)


check(mine, lambda text: lengths(text) == [1, 3], "Replace the man by initials, and one other word by [...].")
