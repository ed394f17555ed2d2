"""How the notebooks look at an answer: open, right, or not yet."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

RESULTS: list[bool | None] = []
"""Of each exercise looked at: whether it is right; None where it is open."""


def digest(answer: object) -> str:
    """Eight characters that tell an answer from others and do not give it away.

    >>> digest(42)
    '73475cb4'
    """
    plain = answer.item() if hasattr(answer, "item") else answer
    whole = int(plain) if isinstance(plain, float) and plain.is_integer() else plain
    return hashlib.sha256(repr(whole).encode()).hexdigest()[:8]


def check(answer: Any, right: str | Callable[[Any], bool], hint: str = "") -> None:
    """Say what an answer is: ``right`` is the digest of the one that is, or a function that knows.

    What the function raises is said, too: an answer may be of another kind than it takes.
    """
    done, trouble = None, ""
    if answer is not ...:
        try:
            done = digest(answer) == right if isinstance(right, str) else bool(right(answer))
        except Exception as error:
            done, trouble = False, f" ({type(error).__name__}: {error})"
    RESULTS.append(done)
    print({None: "open: your turn", True: "right", False: f"not yet. {hint}{trouble}"}[done])
