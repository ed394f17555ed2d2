"""Features of a person with all mentions: the names together, and the ruling as a whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from aef.role_features.lists import company, folded, lists, only_initials, step, sure
from aef.role_features.registry import of_person
from aef.role_features.view import NEAR, Somebody
from aef.tagging.hidden_tokens import FIRST


@of_person()
def mentions(somebody: Somebody) -> Iterator[str]:
    """How often the person is named, by powers of two."""
    yield str(min(5, len(somebody.mentions).bit_length()))


@of_person()
def forms(somebody: Somebody) -> Iterator[str]:
    """In how many ways the name is written."""
    yield str(min(4, len(somebody.forms)))


@of_person(quotes=True)
def introduction(somebody: Somebody) -> Iterator[str]:
    """The titles and words around the first mention outside of the head: it says of many who they are, and no other."""
    head = somebody.people.context.in_head
    first = next((named for named in somebody.mentions if not head(named.low)), somebody.mentions[0])
    shown, sides = somebody.people.shown, {"before": first.before, "behind": first.behind}
    yield from (f"title {title}" for title in first.titles)
    yield from (f"{side} {shown(token)}" for side, tokens in sides.items() for token in tokens[:NEAR])
    yield from (f"near {word}" for word in somebody.people.ordinary(chain(*sides.values())))


@of_person()
def words(somebody: Somebody) -> Iterator[str]:
    """How many words the longest form has."""
    yield str(min(5, max(map(len, somebody.form_words), default=0)))


@of_person()
def best_probability(somebody: Somebody) -> Iterator[str]:
    """How probable the surest mention is a name."""
    yield step(max(sure(named.mention.probability) for named in somebody.mentions))


@of_person()
def best_first_pass(somebody: Somebody) -> Iterator[str]:
    """How probable the surest mention was before the rest of the ruling was known."""
    yield step(max(sure(named.mention.extra.get(FIRST)) for named in somebody.mentions))


@of_person()
def listed(somebody: Somebody) -> Iterator[str]:
    """The word lists in which all or some words of the names are."""
    for name, entries in lists(somebody.people.language).items():
        yield from _part(somebody, entries, name)


@of_person()
def elsewhere(somebody: Somebody) -> Iterator[str]:
    """Whether the words stand in small letters, or in the name of a company, anywhere in the ruling."""
    yield from _part(somebody, somebody.people.small, "in small letters")
    yield from _part(somebody, somebody.people.of_companies, "in a company's name")


def _part(somebody: Somebody, entries: frozenset[str], name: str) -> Iterator[str]:
    if somebody.words and somebody.words <= entries:
        yield f"all: {name}"
    elif not somebody.words.isdisjoint(entries):
        yield f"some: {name}"


@of_person()
def anchored(somebody: Somebody) -> Iterator[str]:
    """Whether a title, or a given name with a surname, says that a person is meant."""
    if somebody.full_named:
        yield "by a given name"
    if somebody.full_named or somebody.titled:
        yield ""


@of_person()
def initials_alone(somebody: Somebody) -> Iterator[str]:
    """Whether no form is more than initials."""
    if all(only_initials(" ".join(form)) for form in somebody.form_words):
        yield ""


@of_person()
def share_of_its_word(somebody: Somebody) -> Iterator[str]:
    """How much of all that its most frequent word with a capital is in the ruling are its mentions."""
    people = somebody.people
    most = max((people.capitals[word] for form in somebody.form_words for word in form), default=0)
    yield str(round(4 * min(1.0, len(somebody.mentions) / max(1, most))))


@of_person()
def first_named(somebody: Somebody) -> Iterator[str]:
    """In which fifth of the ruling the person is named first."""
    yield str(int(5 * somebody.mentions[0].low / max(1, len(somebody.people.text))))


@of_person()
def shares_a_word(somebody: Somebody) -> Iterator[str]:
    """Whether others have a word of the name, and what says that they are people."""
    if somebody.sharing:
        yield ""
    if any(other.titled for other in somebody.sharing):
        yield "with one titled"
    if any(other.full_named for other in somebody.sharing):
        yield "with one of a given name"


@of_person()
def somebody_of_something(somebody: Somebody) -> Iterator[str]:
    """Of the pronouns behind the mentions, how many quarters stand for somebody and not for something."""
    told = Counter(named.referent for named in somebody.mentions)
    total = told["somebody"] + told["something"]
    if total > 1:
        yield str(round(4 * told["somebody"] / total))


@of_person()
def told_by_a_title(somebody: Somebody) -> Iterator[str]:
    """How many mentions have a title, by how often the person is named, with a given name or not, and how fully.

    Who is named a hundred times without one is a company rather than a person.
    """
    share, often = _share(somebody), _often(somebody)
    yield f"{share} of {often}"
    yield f"{share} of {often}, {'' if somebody.full_named else 'no '}given name"
    yield f"{share} of {often}, words {next(iter(words(somebody)))}"


@of_person()
def told_otherwise(somebody: Somebody) -> Iterator[str]:
    """What pronouns and the surest mention tell of the person, by a title and how often the person is named."""
    known = f"{'titled' if somebody.titled else 'no title'}, {_often(somebody)}"
    yield f"by pronouns {next(iter(somebody_of_something(somebody)), 'none')}, {known}"
    yield f"by the first pass {next(iter(best_first_pass(somebody)))}, {known}"


@of_person()
def begins_a_company(somebody: Somebody) -> Iterator[str]:
    """How many names of companies begin with the name, by whether a person is meant and how often.

    A company is called by the first words of its name: "Dickerson, Inc." and later "Dickerson".
    """
    begun = max((somebody.people.begun[tuple(map(folded, form))] for form in somebody.form_words), default=0)
    if begun:
        number, meant, often = "one" if begun == 1 else "several", _meant(somebody), _often(somebody)
        yield from (number, meant, f"mentions {often}", f"{number}, {meant}, mentions {often}")


@of_person()
def short_for_a_company(somebody: Somebody) -> Iterator[str]:
    """Whether a company is called so for short, in brackets behind its name, by whether a person is meant.

    "Roe Drilling Co. (Roe)".
    """
    if any(tuple(map(folded, form)) in somebody.people.short_names for form in somebody.form_words):
        yield from ("", _meant(somebody))


@of_person()
def company_near(somebody: Somebody) -> Iterator[str]:
    """Whether a word of companies stands near before or behind a mention, by whether a person is meant and how often.

    Once is enough: "Wyeth is a pharmaceutical company".
    """
    words, known = somebody.people.words, company(somebody.people.language)
    for side, reach in (("before", 3), ("behind", 5)):
        near = {folded(words[t]) for named in somebody.mentions for t in getattr(named, side)[:reach]}
        if not known.isdisjoint(near):
            meant = _meant(somebody)
            yield from (side, f"{side}, {meant}", f"{side}, {meant}, mentions {_often(somebody)}")


def _meant(somebody: Somebody) -> str:
    """What says that a person is meant."""
    return "titled" if somebody.titled else "given name" if somebody.full_named else "nothing"


def _share(somebody: Somebody) -> str:
    titled = sum(bool(named.titles) for named in somebody.mentions) / len(somebody.mentions)
    return "none" if not titled else "few" if titled < 0.2 else "some" if titled < 0.6 else "most"


def _often(somebody: Somebody) -> str:
    return next(iter(mentions(somebody)))
