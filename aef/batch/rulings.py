"""The rulings of a folder, and which of them belong to one case."""

from __future__ import annotations

import csv
import io
import json
import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from aef.corpus_tools.rulings.readers import FORMATS, READ_ONLY, REMEDIES, read_text
from aef.errors import InputError
from aef.roles.metadata import Known, known

BY_FOLDER = "folder"
"""In the place of a file that says which ruling belongs to which case: each subfolder is a case."""


@dataclass(frozen=True)
class Found:
    """What a folder holds, as paths in it with slashes, sorted: rulings, and files that are none."""

    rulings: tuple[str, ...]
    others: tuple[str, ...]


@dataclass(frozen=True)
class Cases:
    """The rulings of each case, in order, and what is known of it beforehand."""

    rulings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    metadata: Mapping[str, tuple[Known, ...]] = field(default_factory=dict)

    def of(self) -> dict[str, str]:
        """The case of each ruling that has one."""
        return {ruling: case for case, rulings in self.rulings.items() for ruling in rulings}


def find_rulings(folder: str | Path) -> Found:
    """All that is in a folder and its subfolders, hidden files and Word's lock files left out.

    Rulings of a format that is not written (PDF, DOC ...) are among the rulings: to be refused, not to be forgotten.
    Links to folders are not followed. Raises `InputError` where there is no folder, or no ruling in it.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise InputError.at(folder, "is no folder" if folder.exists() else "no such folder")
    paths = sorted(_files(folder), key=lambda path: path.parts)
    suffixes = {*FORMATS, *REMEDIES}
    rulings = tuple(str(p) for p in paths if p.suffix.lower() in suffixes)
    written = FORMATS.keys() - READ_ONLY
    if not any(PurePosixPath(path).suffix.lower() in written for path in rulings):
        raise InputError.at(folder, f"holds no ruling ({', '.join(sorted(written))})")
    return Found(rulings, tuple(str(p) for p in paths if str(p) not in set(rulings)))


def must_be_inside(path: Path, folder: str | Path) -> None:
    """Raise `InputError` for what is no regular file, and for a link out of the folder: a pipe could be waited for
    without end, and what a link brings in from elsewhere nobody put into the folder to be published."""
    try:
        whole = path.resolve(strict=True)
        regular = stat.S_ISREG(whole.stat().st_mode)
    except (OSError, RuntimeError) as error:  # a circle of links is a RuntimeError
        raise InputError.at(path, "cannot be read (no such file, or links in a circle)") from error
    if not regular:
        raise InputError.at(path, "is no regular file", remedy="Put a copy of the ruling there")
    if not whole.is_relative_to(Path(folder).resolve()):
        raise InputError.at(path, "is a link to a file outside of the folder", remedy="Put a copy of the ruling there")


def _files(folder: Path) -> Iterator[PurePosixPath]:
    for parent, folders, files in os.walk(folder, onerror=_unreadable):
        links = [name for name in folders if (Path(parent) / name).is_symlink()]
        folders[:] = sorted(name for name in folders if name[0] != "." and name not in links)
        for name in [*files, *links]:
            if name[0] not in ".~":
                yield PurePosixPath((Path(parent) / name).relative_to(folder).as_posix())


def _unreadable(error: OSError) -> None:
    raise InputError.at(error.filename, f"cannot be read ({error.strerror})") from error


# --- cases ----------------------------------------------------------------------------------------------------------


def find_cases(how: str | None, rulings: Sequence[str]) -> Cases:
    """The cases by the subfolders (`BY_FOLDER`), as a file says, or none. Raises `InputError` for a wrong file."""
    if how is None:
        return Cases()
    return by_folder(rulings) if how == BY_FOLDER else read_cases(how, rulings)


def by_folder(rulings: Iterable[str]) -> Cases:
    """Each subfolder, with all below it, is a case; rulings beside them have none."""
    cases: dict[str, list[str]] = {}
    for ruling in rulings:
        first, slash, _ = ruling.partition("/")
        if slash:
            cases.setdefault(first, []).append(ruling)
    return Cases({case: tuple(files) for case, files in cases.items()})


def read_cases(path: str | Path, rulings: Iterable[str]) -> Cases:
    """The cases of a file, CSV (columns ``case`` and ``file``) or JSON::

        {"2019/14": ["14/reasons.docx", "14/costs.docx"],
         "2019/15": {"files": ["15.docx"], "parties": ["Ann Roe"], "judges": ["Long J."]}}

    Keys beside ``files`` are metadata (`aef.roles.metadata`). Files are paths in the folder of the rulings, in the
    order in which they are to be anonymized. Raises `InputError` for a file that is not there, or in two cases.
    """
    text = read_text(path)
    listed = _from_csv(text, path) if Path(path).suffix.lower() == ".csv" else _from_json(text, path)
    present, seen = set(rulings), set[str]()
    cases: dict[str, tuple[str, ...]] = {}
    for case, (files, _) in listed.items():
        cases[case] = tuple(PurePosixPath(file.replace("\\", "/")).as_posix() for file in files)
        for file in cases[case]:
            if file not in present or file in seen:
                problem = "is listed twice" if file in seen else "is no ruling of the folder"
                raise InputError.at(path, f"'{file}' {problem}", remedy="List each ruling once, by its path in it")
            seen.add(file)
    return Cases(cases, {case: people for case, (_, people) in listed.items() if people})


Listed = dict[str, tuple[list[str], tuple[Known, ...]]]


def _from_csv(text: str, path: str | Path) -> Listed:
    rows = csv.DictReader(io.StringIO(text))
    if not {"case", "file"} <= set(rows.fieldnames or ()):
        remedy = "Its first line names the columns: case,file"
        raise InputError.at(path, "has no columns 'case' and 'file'", line=1, remedy=remedy)
    cases: Listed = {}
    for row in rows:
        if not row["case"] or not row["file"]:
            raise InputError.at(path, "a case or a file is missing", line=rows.line_num)
        cases.setdefault(row["case"], ([], ()))[0].append(row["file"])
    return cases


def _from_json(text: str, path: str | Path) -> Listed:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError.at(path, f"is no valid JSON: {error}") from error
    if not isinstance(content, dict):
        raise InputError.at(path, "is no JSON object", remedy='Write {"case": ["file", "file"]}')
    return {case: _case(case, value, path) for case, value in content.items()}


def _case(case: str, value: Any, path: str | Path) -> tuple[list[str], tuple[Known, ...]]:
    further = {key: v for key, v in value.items() if key != "files"} if isinstance(value, dict) else {}
    files = value.get("files") if isinstance(value, dict) else value
    if not isinstance(files, list) or not all(isinstance(file, str) for file in files):
        raise InputError.at(path, f"case '{case}' has no list of files", remedy='Write "files": ["a.docx", ...]')
    try:
        return files, known(further)
    except InputError as error:
        raise InputError.at(path, f"case '{case}': {error}") from error
