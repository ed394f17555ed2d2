"""Features of the lines around a mention: a head, a list of appearances, a signature say in lines who is who."""

from __future__ import annotations

from collections.abc import Iterator

from aef.role_features.registry import of_mention
from aef.role_features.view import Named

_SHORT, _SHORTER, _HEADING = 100, 60, 40
"""Up to so many characters a mention's own line is short, a line nearby, and one that may be a heading."""
_HIGHEST = 15
"""So many lines up a heading is looked for."""
_MOST_BITS = 8


@of_mention(quotes=True)
def own_line(mention: Named) -> Iterator[str]:
    """The ordinary words of the mention's line, where it is short."""
    return _words(mention, 0, _SHORT)


@of_mention(quotes=True)
def line_above(mention: Named) -> Iterator[str]:
    """The ordinary words of the line above, where it is short."""
    return _words(mention, -1, _SHORTER)


@of_mention(quotes=True)
def line_below(mention: Named) -> Iterator[str]:
    """The ordinary words of the line below, where it is short."""
    return _words(mention, 1, _SHORTER)


@of_mention(quotes=True)
def second_line_above(mention: Named) -> Iterator[str]:
    """The ordinary words of the line above the line above, where it is short."""
    return _words(mention, -2, _SHORTER)


@of_mention(quotes=True)
def second_line_below(mention: Named) -> Iterator[str]:
    """The ordinary words of the line below the line below, where it is short."""
    return _words(mention, 2, _SHORTER)


@of_mention(quotes=True)
def heading(mention: Named) -> Iterator[str]:
    """The ordinary words of the nearest line further up that is so short as to be a heading."""
    lines, first = mention.people.lines, max(0, mention.line - _HIGHEST + 1)
    for number in range(mention.line - 2, first - 1, -1):
        if lines[number][1] - lines[number][0] <= _HEADING:
            return _words(mention, number - mention.line, _HEADING)
    return iter(())


@of_mention()
def lines(mention: Named) -> Iterator[str]:
    """How many lines stand above the mention's and below it, by powers of two."""
    below = len(mention.people.lines) - 1 - mention.line
    yield f"above {min(_MOST_BITS, mention.line.bit_length())}"
    yield f"below {min(_MOST_BITS, below.bit_length())}"


def _words(mention: Named, step: int, most: int) -> Iterator[str]:
    """The ordinary words of the line so many lines further, and that it is short; nothing of a longer one."""
    people, number = mention.people, mention.line + step
    if not 0 <= number < len(people.lines):
        return
    start, end = people.lines[number]
    if end - start <= most:
        yield ""
        yield from people.ordinary(people.document.token_range(start, end))
