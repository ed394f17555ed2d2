"""Many names as one pattern that goes letter by letter: what a search costs does not depend on how many they are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

WORDS = re.compile(r"[^\W_]+")
"""The words of a name: letters and digits side by side."""
_END = ""


def trie(names: Iterable[Sequence[str]]) -> str:
    """A pattern of names, each a sequence of pieces of patterns; where one begins another, the longer one is tried
    first.

    >>> trie([letters("ann"), letters("anna"), letters("li")])
    '(?:ann(?:a)?|li)'
    """
    root: dict[str, Any] = {}
    for name in names:
        node = root
        for piece in name:
            node = node.setdefault(piece, {})
        node[_END] = {}
    return _pattern(root)


def letters(word: str, joint: str = "") -> list[str]:
    """The letters of a word as pieces, with a ``joint`` behind each but the last."""
    spelled = [re.escape(letter) for letter in word]
    return [letter + joint for letter in spelled[:-1]] + spelled[-1:]


def joined(words: Sequence[str], joint: str, inside: str = "") -> list[str]:
    """The pieces of a name of several words, with a ``joint`` between two, and one ``inside`` of each."""
    pieces = letters(words[0], inside)
    for word in words[1:]:
        pieces += [joint, *letters(word, inside)]
    return pieces


def _pattern(node: dict[str, Any]) -> str:
    branches = [_branch(piece, child) for piece, child in node.items() if piece != _END]
    if not branches:
        return ""
    return f"(?:{'|'.join(branches)})" + ("?" if _END in node else "")


def _branch(piece: str, node: dict[str, Any]) -> str:
    """A piece and what follows it; where that is one piece alone, without brackets around it."""
    pieces = [piece]
    while len(node) == 1 and _END not in node:
        ((piece, node),) = node.items()
        pieces.append(piece)
    return "".join(pieces) + _pattern(node)
