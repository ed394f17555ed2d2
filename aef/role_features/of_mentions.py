"""Features of a mention: the name as it stands there, and what stands around it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from aef.names.entity import CANDIDATES, MEMBERS
from aef.role_features.lists import WORDS, company, folded, signs, step
from aef.role_features.registry import of_mention
from aef.role_features.view import NEAR, Named
from aef.tagging.hidden_tokens import FIRST

_RUN = re.compile(r"(?:[ ](?:&|and|of|the|\(|[A-ZÀ-Þ][\w.’'&-]*\)?)){1,4}")


@of_mention()
def probability(mention: Named) -> Iterator[str]:
    """How probable the finder takes the mention to be a name."""
    yield step(mention.mention.probability)


@of_mention()
def first_pass(mention: Named) -> Iterator[str]:
    """How probable it was before the rest of the ruling was known."""
    yield step(mention.mention.extra.get(FIRST))


@of_mention(ever=True)
def cue(mention: Named) -> Iterator[str]:
    """What the cues of roles tell of the mention: role, source and weight."""
    for e in mention.people.evidence.get(mention.place, ()):
        yield f"{e.role} {e.source} {e.weight}"


@of_mention()
def mention_of(mention: Named) -> Iterator[str]:
    """Whether it names several people, or one of several."""
    return (key for key in (CANDIDATES, MEMBERS) if mention.mention.extra.get(key))


@of_mention(quotes=True)
def title(mention: Named) -> Iterator[str]:
    """The titles before the name."""
    yield from mention.titles


@of_mention()
def titled(mention: Named) -> Iterator[str]:
    """Whether a title stands before the name."""
    if mention.titles:
        yield ""


@of_mention(quotes=True)
def before(mention: Named) -> Iterator[str]:
    """The four words before the name, and the two nearest together."""
    return _words(mention, mention.before)


@of_mention(quotes=True)
def behind(mention: Named) -> Iterator[str]:
    """The four words behind the name, and the two nearest together."""
    return _words(mention, mention.behind)


def _words(mention: Named, tokens: list[int]) -> Iterator[str]:
    words = [mention.people.shown(token) for token in tokens[:NEAR]]
    yield from (*words, f"& {' '.join(words[:2])}")


@of_mention(quotes=True)
def near(mention: Named) -> Iterator[str]:
    """The ordinary words of the sentence around the name."""
    return mention.people.ordinary((*mention.before, *mention.behind))


@of_mention(quotes=True)
def class_before(mention: Named) -> Iterator[str]:
    """The classes of the four words before the name."""
    return mention.people.classes(mention.before[:NEAR])


@of_mention(quotes=True)
def class_behind(mention: Named) -> Iterator[str]:
    """The classes of the four words behind the name."""
    return mention.people.classes(mention.behind[:NEAR])


@of_mention(quotes=True)
def class_near(mention: Named) -> Iterator[str]:
    """The classes of the words of the sentence around the name."""
    return mention.people.classes((*mention.before, *mention.behind))


@of_mention()
def sign_before(mention: Named) -> Iterator[str]:
    """The two characters before the name."""
    yield signs(mention.people.text[max(0, mention.low - 2) : mention.low])


@of_mention()
def sign_behind(mention: Named) -> Iterator[str]:
    """The three characters behind the name."""
    yield signs(mention.people.text[mention.high : mention.high + 3])


@of_mention()
def in_a_cited_case(mention: Named) -> Iterator[str]:
    """Whether it is part of the name of a cited case."""
    if mention.people.context.in_cited_case(mention.low, mention.high):
        yield ""


@of_mention()
def in_a_reference(mention: Named) -> Iterator[str]:
    """Whether it stands in a reference to a case or law."""
    if mention.people.in_reference(mention.low, mention.high):
        yield ""


@of_mention()
def goes_on(mention: Named) -> Iterator[str]:
    """Whether words with a capital go on from the name, and whether one is of a company or body."""
    if run := _RUN.match(mention.people.text, mention.high, mention.high + 60):
        yield "with a capital"
        if not company(mention.people.language).isdisjoint(map(folded, WORDS.findall(run[0]))):
            yield "as a company"


@of_mention()
def in_the_head(mention: Named) -> Iterator[str]:
    """Whether it stands in the head, and what the line is about."""
    context = mention.people.context
    if context.in_head(mention.low):
        yield from ("", f"as {context.head_role(mention.tokens.start) if mention.tokens else ''}")


@of_mention()
def at_the_end(mention: Named) -> Iterator[str]:
    """Whether it stands where a ruling is signed and lists counsel."""
    context = mention.people.context
    if context.at_the_end(mention.low) and not context.in_head(mention.low):
        yield ""


@of_mention()
def pronoun_behind(mention: Named) -> Iterator[str]:
    """What the first pronoun behind the name stands for, where no other name comes first."""
    if mention.referent:
        yield mention.referent
