"""What a worker does: anonymize the rulings of a unit, in order, and leave a record of each that survives the worker.

A unit is a case, or a single ruling. Every attempt at a ruling has a folder of its own, so that a worker that was taken
for dead, and still works, is in nobody's way.
"""

from __future__ import annotations

import faulthandler
import hashlib
import os
import threading
import time
import traceback
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from aef.batch.recipe import Anonymizer, Recipe
from aef.batch.rulings import must_be_inside
from aef.batch.state import RECORD, REFUSED, Outcome, mark_of
from aef.corpus_tools.files import write_atomic
from aef.errors import InputError
from aef.roles.metadata import Known, digest

if TYPE_CHECKING:
    from aef.anonymization import Result
    from aef.replacement.case_file import Case

_TRIES = 3


@dataclass(frozen=True)
class Setting:
    """What all units have in common; sent to each worker.

    source, work : absolute paths of the folder of the rulings and of that of the attempts. fingerprint : of the recipe,
    as the worker must find it, too. sealed : whether case files are under the passphrase of ``passphrase_file`` or of
    the environment. timeout : the seconds after which a worker that is at one ruling ends itself; None for never. store
    : where the rulings are, where workers see neither of the folders.
    """

    source: str
    work: str
    recipe: Recipe
    fingerprint: str
    allow_remaining: bool = False
    sealed: bool = False
    passphrase_file: str | None = None
    timeout: float | None = None
    store: str | None = None


@dataclass(frozen=True)
class Unit:
    """Rulings that are done by one worker, in order; of one case with its file, or one ruling without."""

    rulings: tuple[str, ...]
    case: str | None = None
    case_file: str | None = None
    metadata: tuple[Known, ...] = ()


class Unfit(RuntimeError):
    """The worker cannot do the work: it sees other files, or has no passphrase."""


_ONE_AT_A_TIME = threading.Lock()
"""A worker of Dask may have several threads; what is loaded is used by one of them at a time."""


def do_unit(setting: Setting, unit: Unit) -> list[Outcome]:
    """Anonymize the rulings of a unit; what is wrong with one is its outcome and does not stop the others.

    Raises `Unfit` where this worker can do none.
    """
    if setting.store is not None:
        from aef.batch.store import do_away

        return do_away(setting.store, replace(setting, store=None), unit)
    with _ONE_AT_A_TIME:
        anonymize = _loaded(setting.recipe, setting.fingerprint)
        case: Case | None = None
        outcomes = []
        for number in range(len(unit.rulings)):
            outcome, case = _one(setting, unit, anonymize, case, number)
            write_atomic(Path(setting.work, outcome.attempt, RECORD), outcome.as_json(), private=True)
            outcomes.append(outcome)
        return outcomes


@lru_cache(maxsize=2)
def _loaded(recipe: Recipe, fingerprint: str) -> Anonymizer:
    try:
        if recipe.fingerprint() != fingerprint:
            raise Unfit("a worker has another version of aef, or other models and lists. Give all the same")
        return recipe.load()
    except InputError as error:
        raise Unfit(f"a worker cannot load what it needs ({error}). Have it see the same files") from error


def _one(
    setting: Setting, unit: Unit, anonymize: Anonymizer, case: Case | None, number: int
) -> tuple[Outcome, Case | None]:
    """One ruling's outcome, and the case as it is then; None where it has to be opened anew."""
    started = time.perf_counter()
    path = Path(setting.source, unit.rulings[number])
    outcome = Outcome(unit.rulings[number], unit.case, metadata=digest(unit.metadata), attempt=uuid.uuid4().hex)
    try:
        outcome = _with_source(outcome, path, setting.source)
        result, case = _anonymized(setting, unit, anonymize, case, number, outcome.attempt)
        outcome = _with_result(outcome, result)
    except Unfit:
        raise
    except Exception as error:  # whatever it is: one bad file never stops the rest
        outcome, case = replace(outcome, status=REFUSED, why=_why(error, path)), None
    return replace(outcome, seconds=round(time.perf_counter() - started, 4)), case


def _anonymized(
    setting: Setting, unit: Unit, anonymize: Anonymizer, case: Case | None, number: int, attempt: str
) -> tuple[Result, Case | None]:
    """The ruling, written to the attempt's folder; the case opened again where another worker wrote it meanwhile."""
    from aef.replacement.case_file import Changed

    path = Path(setting.source, unit.rulings[number])
    target, remains = Path(setting.work, attempt, path.name), setting.allow_remaining
    for tries in range(_TRIES):
        case = case or _case(setting, unit, number)
        try:
            with _watched(setting, unit.rulings[number]):
                result = anonymize(path, target, case=case, metadata=unit.metadata, taken=(), allow_remaining=remains)
            return result, case
        except Changed:
            case = None
            if tries == _TRIES - 1:
                raise
    raise AssertionError


_NOWHERE = open(os.devnull, "w")  # noqa: SIM115, PTH123 (for the life of the process)


@contextmanager
def _watched(setting: Setting, ruling: str) -> Iterator[None]:
    """Leave a mark while a ruling is worked on, and end this process where that takes too long.

    Whoever tries next sees from the mark that it did: raises `InputError`. A thread of the interpreter's own ends the
    process, also where no other comes to run (in a regular expression, say).
    """
    mark = mark_of(Path(setting.work), ruling)
    if setting.timeout and mark.exists() and time.time() - mark.stat().st_mtime >= setting.timeout:
        raise InputError(f"takes more than {setting.timeout:g} seconds. Give it longer with --timeout")
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.write_bytes(b"")
    if setting.timeout:
        faulthandler.dump_traceback_later(setting.timeout, exit=True, file=_NOWHERE)
    try:
        yield
    finally:
        if setting.timeout:
            faulthandler.cancel_dump_traceback_later()
        mark.unlink(missing_ok=True)


def _with_source(outcome: Outcome, path: Path, folder: str) -> Outcome:
    must_be_inside(path, folder)
    try:
        status = path.stat()
        outcome = replace(outcome, size=status.st_size, mtime=status.st_mtime_ns)
        with path.open("rb") as stream:
            return replace(outcome, sha256=hashlib.file_digest(stream, "sha256").hexdigest())
    except OSError as error:
        raise InputError.at(path, f"cannot be read ({error.strerror})") from error


def _with_result(outcome: Outcome, result: Result) -> Outcome:
    from aef.replacement.plan import labels_of
    from aef.verification.file_names import safe_name

    outcome = replace(outcome, tokens=result.tokens, dropped=tuple(result.dropped), figures=_figures(result))
    if not result.written or result.target is None:
        places = ", ".join(result.remaining)
        return replace(outcome, status=REFUSED, why=f"hidden names can still be read in: {places}")
    labels = labels_of(result.edits)
    folders = tuple(safe_name(part, result.hidden, labels) for part in PurePosixPath(outcome.ruling).parts[:-1])
    output = hashlib.sha256(result.content).hexdigest()
    return replace(outcome, name=result.target.name, folders=folders, output=output)


def _figures(result: Result) -> dict[str, int]:
    return {
        **result.counts,
        "unsure": len(result.unsure),
        "asked": sum(decision.action == "ask" for decision in result.decisions),
        "clashes": len(result.clashes),
        "in_clear": len(result.in_clear),
        "other_language": int(bool(result.language)),
        "remaining": len(result.remaining),
    }


def _why(error: Exception, path: Path) -> str:
    """What is told of an error: a user's mistake in full, any other without its message, which might hold text."""
    if isinstance(error, InputError):
        return str(error).removeprefix(f"{path}: ").removeprefix(f"{path.name}: ")
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"an error in aef or a library ({type(error).__name__}, {Path(last.filename).name}, line {last.lineno})"


# --- the case -------------------------------------------------------------------------------------------------------


def _case(setting: Setting, unit: Unit, number: int) -> Case | None:
    """The unit's case, that knows the words of all rulings from here on: no label is one of them."""
    if unit.case_file is None:
        return None
    from aef.replacement.case_file import Case

    case = Case.open(unit.case_file, passphrase(setting))
    for text in _texts(setting, unit.rulings[number:]):
        case.hear(text)
    return case


def _texts(setting: Setting, rulings: Iterable[str]) -> Iterator[str]:
    from aef.corpus_tools.rulings.readers import read

    for ruling in rulings:
        try:
            with _watched(setting, ruling):
                text = read(Path(setting.source, ruling)).text
        except Exception:  # its own turn says what is wrong with it
            continue
        yield text


def passphrase(setting: Setting) -> str | None:
    """The passphrase of the case files. Raises `Unfit` where there should be one."""
    from aef.replacement.sealing import read_passphrase

    try:
        found = read_passphrase(setting.passphrase_file) if setting.sealed else None
    except InputError as error:
        raise Unfit(str(error)) from error
    if setting.sealed and found is None:
        raise Unfit("a worker has no passphrase for the case files. Set AEF_PASSPHRASE there, or --passphrase-file")
    return found
