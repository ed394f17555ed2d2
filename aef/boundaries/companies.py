"""Names that go on as those of companies: "Hale Electric", "Q. R. BRAMBLE COMMERCIAL CORPORATION".

A company that bears somebody's name is named in full: whether it is hidden is for the policy to say, and what it is
called is no name of a person.
"""

from __future__ import annotations

from dataclasses import replace

from aef.boundaries.ruling import Ruling
from aef.corpus_tools.document import Document, Mention
from aef.names.parts import ORG, PERSON

NAME = "name"
"""The key of a company's ``extra`` that says how many of its characters are the name."""
_MOST = 5
"""How many words behind a name may be of a company's."""


def with_companies(ruling: Ruling, people: list[Mention]) -> list[Mention]:
    """The mentions of people in order; those that end or go on as a company's name are the company's, with what lies
    in it."""
    found: list[Mention] = []
    for mention in people:
        if found and mention.start < found[-1].end:
            found[-1] = replace(found[-1], end=max(mention.end, found[-1].end))
            continue
        end = _end(ruling, _rest(ruling, mention))
        found.append(_company(mention, end) if end else mention)
    return found


def as_people(document: Document) -> Document:
    """The document with the names that go on as those of companies as names of people again."""
    return document.with_mentions(
        replace(m, end=m.start + m.extra[NAME], entity_type=PERSON) if NAME in m.extra else m for m in document.mentions
    )


def _company(mention: Mention, end: int) -> Mention:
    name = {NAME: mention.end - mention.start}
    return replace(mention, end=end, entity_type=ORG, extra={**mention.extra, **name})


def _rest(ruling: Ruling, mention: Mention) -> int:
    """The first token that may be a company's, not somebody's: the last of several, where it is no surname."""
    tokens = ruling.tokens(mention)
    return tokens.stop - (len(tokens) > 1 and _bare(ruling, tokens[-1]) not in ruling.lists.names)


def _end(ruling: Ruling, token: int) -> int | None:
    """Where the name of a company ends that goes on at a token, in capitals on one line up to a word that says so."""
    end = None
    for here in range(token, min(token + _MOST, len(ruling.words))):
        if not _goes_on(ruling, here):
            break
        if _bare(ruling, here) in ruling.lists.companies and not _is_joined(ruling, here):
            end = ruling.end(here)
    return end


def _goes_on(ruling: Ruling, token: int) -> bool:
    """Whether a token goes on with a name on its line: a capital, "&", or a legal form behind a comma."""
    word, gap = ruling.words[token], ruling.gap(token - 1, token)
    if "\n" in gap:
        return False
    if gap.strip() == ",":
        return _bare(ruling, token) in ruling.lists.legal_forms
    return gap.isspace() and (word == "&" or (word[0].isupper() and word.lower() not in ruling.lists.function_words))


def _bare(ruling: Ruling, token: int) -> str:
    return ruling.words[token].lower().rstrip(".")


def _is_joined(ruling: Ruling, token: int) -> bool:
    """Whether a hyphen joins the token to the next: "Ann Roe, Co-Personal Representative"."""
    return token + 1 < len(ruling.words) and ruling.gap(token, token + 1)[:1] == "-"
