"""Sample rulings: family-law judgments of our own making, with their anonymized versions and the truth about both.

Names, places, companies and cited cases are invented; statutes are the real ones by name. The published version
follows the house rules of the AEF thesis (section 1.3 and Table 1.6):

- parties, children, relatives, partners, friends and other private persons become initials (``Ms. J.L.G.``), the same
  everywhere; people who share initials get a number (``S.R.1``, ``S.R.2``);
- companies, employers, schools, clubs and congregations become ``I.[...] Ltd.``, a generic last word staying;
- addresses, account and identity numbers become ``[...]``; of a birth date the year stays;
- judges, counsel, experts, doctors, police officers, social workers and mediators, cited cases, statutes, courts,
  public bodies, lenders and towns stay in clear.
"""

from __future__ import annotations

from pathlib import Path

from aef.corpus_tools.files import must_be_new, write_atomic
from aef.corpus_tools.samples.compose import batch, lengths
from aef.corpus_tools.samples.ruling import Gold, Run, SampleBlock, SampleRuling
from aef.errors import InputError

__all__ = ["Gold", "Run", "SampleBlock", "SampleRuling", "built_in", "generate", "write_pairs"]

_BUILT_IN_SEED = 2004
_BUILT_IN_PAGES = (5, 4, 7, 6, 5, 8, 6, 9, 4, 6, 5, 7)
_BUILT_IN_SLIPS = {3: 0.04, 7: 0.05}


def generate(number: int, seed: int = 0, slips: float = 0.0, pages: tuple[int, int] = (3, 15)) -> list[SampleRuling]:
    """``number`` rulings of ``pages`` (from, to; 250 words a page). The same seed gives the same rulings.

    ``slips`` is the share of names the editor left in clear or labelled wrongly; the gold tells the truth nevertheless.
    Raises `InputError` for a range of pages outside 3 to 30, a share outside 0 to 1 or a negative number.
    """
    if not (number >= 0 and 0 <= slips <= 1 and 2 < pages[0] <= pages[1] <= 30):
        raise InputError(
            f"cannot generate {number} rulings of {pages[0]} to {pages[1]} pages with a share of {slips} slips. "
            "Ask for a number of at least 0, 3 to 30 pages, and a share between 0 and 1"
        )
    return batch(lengths(number, seed, pages), seed, [slips] * number)


def built_in() -> list[SampleRuling]:
    """The twelve rulings of the demo; in two of them the editor missed a few names."""
    words = [pages * 250 - 20 for pages in _BUILT_IN_PAGES]
    slips = [_BUILT_IN_SLIPS.get(i, 0.0) for i in range(1, len(words) + 1)]
    return batch(words, _BUILT_IN_SEED, slips)


def write_pairs(folder: str | Path, rulings: list[SampleRuling], force: bool = False) -> list[tuple[Path, Path]]:
    """Write ``folder/original/ID.docx`` and ``folder/anonymized/ID.docx`` for each ruling; returns the pairs of paths.

    Raises `InputError`, before anything is written, where one of the files exists and ``force`` is not set.
    """
    pairs = [
        (Path(folder, "original", f"{r.doc_id}.docx"), Path(folder, "anonymized", f"{r.doc_id}.docx")) for r in rulings
    ]
    must_be_new((path for pair in pairs for path in pair), force)
    for (original, anonymized), ruling in zip(pairs, rulings, strict=True):
        write_atomic(original, ruling.original_docx(), force)
        write_atomic(anonymized, ruling.anonymized_docx(), force)
    return pairs
