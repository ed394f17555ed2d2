"""The one error a user's mistake raises. Ground floor: this module imports nothing of the project."""

from __future__ import annotations

from pathlib import Path
from typing import Self


class InputError(ValueError):
    """A mistake in what the user gave.

    The message names the file, the place in it, the value and the remedy; the command line prints it and exits
    with code 2, leaving every file as it was.

    >>> InputError.at("gold.jsonl", "no JSON object", line=3, remedy="Write a document a line")
    InputError('gold.jsonl, line 3: no JSON object. Write a document a line')
    """

    @classmethod
    def at(cls, path: str | Path, problem: str, *, line: int | None = None, remedy: str = "") -> Self:
        """``rulings/a.jsonl, line 3: problem. Remedy.``"""
        place = f"{path}, line {line}" if line is not None else str(path)
        return cls(f"{place}: {problem}" + (f". {remedy}" if remedy else ""))
