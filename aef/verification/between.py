"""What an output still shows of what it hides, told from the original alone: for files from any tool."""

from __future__ import annotations

from collections.abc import Iterable

from aef.verification.search import Finding, Sought, hidden_between, plain, shown_text, verify


def left_between(
    original: bytes, output: bytes, name: str, shown: Iterable[str] = ()
) -> tuple[list[str], list[Finding]]:
    """What the output hides of the original, and what is still there of that; ``shown``: names that may be.

    ``name``: of the output, whose suffix says what it is; the original is alike. Raises `Unreadable`.
    """
    names, words = hidden_between(shown_text(original, name), shown_text(output, name))
    spared = {word for phrase in shown for word in plain(phrase).split()}
    sought = [found for found in (*names, *words) if spared.isdisjoint(found.split())]
    return sought, verify(output, Sought.of(sought), name)
