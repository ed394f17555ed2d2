"""What a batch has done so far, in a file to which lines are added: after a crash nothing is lost or done twice.

The folder ``.aef-batch`` of the output folder holds the file, the outputs that have no name yet (``work``, a folder for
each attempt at a ruling, with a record written last), a mark for each ruling that somebody works on (``started``), and
at the end the report. It is for its owner alone: it names
the originals beside the outputs.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path, PurePosixPath
from typing import Any, get_type_hints

from aef.corpus_tools.files import write_atomic
from aef.errors import InputError

FORMAT, VERSION = "aef batch", 1
FOLDER, STATE, WORK, RECORD, STARTED, LOCK = ".aef-batch", "state.jsonl", "work", "record.json", "started", "lock"
DONE, REFUSED = "done", "refused"


@dataclass(frozen=True)
class Outcome:
    """What became of one ruling.

    ruling, case : its path in the folder, and the case it belongs to. sha256, size, mtime : of the file, bytes and
    nanoseconds, and metadata : SHA-256 of those of the case, to notice changes. status, why : `DONE`, or `REFUSED` and
    why. attempt, name, output : the folder of the output, its safe name and its SHA-256. folders : safe names of the
    folders the ruling is in. seconds, tokens : the time it took, and its length. figures : counts of what was done.
    dropped : what was taken out of the file.
    """

    ruling: str
    case: str | None = None
    sha256: str = ""
    size: int = 0
    mtime: int = 0
    metadata: str = ""
    status: str = DONE
    why: str = ""
    attempt: str = ""
    name: str = ""
    output: str = ""
    folders: tuple[str, ...] = ()
    seconds: float = 0.0
    tokens: int = 0
    figures: Mapping[str, int] = field(default_factory=dict)
    dropped: tuple[str, ...] = ()

    @property
    def done(self) -> bool:
        return self.status == DONE

    @classmethod
    def from_dict(cls, values: Any) -> Outcome:
        """Raises `ValueError` where a key is unknown or a value of another kind."""
        kinds = get_type_hints(cls)
        if not isinstance(values, dict) or not set(values) <= {f.name for f in fields(cls)}:
            raise ValueError("no outcome")
        given: dict[str, Any] = {key: tuple(v) if isinstance(v, list) else v for key, v in values.items()}
        for key in given:
            if kinds[key] in (str, int) and not isinstance(given[key], kinds[key]):
                raise ValueError(f"{key} is of another kind")
        outcome = cls(**given)
        for part in filter(None, (outcome.attempt, outcome.name)):
            if "/" in _inside(part):
                raise ValueError("a path where a name should be")
        return outcome

    def as_json(self) -> str:
        return json.dumps(asdict(self))


@dataclass(frozen=True)
class Carried(Outcome):
    """An outcome with what was made, from a worker that shares no folder with us."""

    content: bytes = b""


class State:
    """The state of a batch in an output folder; `open` it, `begin` it, then `add` what is done.

    outcomes : what became of each ruling. published : where the output of each is, as a path in the output folder.
    """

    def __init__(self, output: str | Path) -> None:
        self.output = Path(output)
        self.folder = self.output / FOLDER
        self.path = self.folder / STATE
        self.work = self.folder / WORK
        self.header: dict[str, Any] | None = None
        self.outcomes: dict[str, Outcome] = {}
        self.published: dict[str, str] = {}

    @classmethod
    def open(cls, output: str | Path) -> State:
        """The state kept in an output folder, empty where there is none. A last line that was cut off is left out.

        Raises `InputError` where the file is damaged or no state.
        """
        state = cls(output)
        try:
            data = state.path.read_bytes()
        except FileNotFoundError:
            return state
        except OSError as error:
            raise InputError.at(state.path, f"cannot be read ({error.strerror})") from error
        whole = data[: data.rfind(b"\n") + 1]
        for number, line in enumerate(whole.splitlines(), 1):
            state._take(number, line)
        if len(whole) < len(data):
            os.truncate(state.path, len(whole))
        return state

    def _take(self, number: int, line: bytes) -> None:
        try:
            record = json.loads(line)
            if number == 1:
                self.header = _header(record)
            elif "outcome" in record:
                outcome = Outcome.from_dict(record["outcome"])
                self.outcomes[outcome.ruling] = outcome
                self.published.pop(outcome.ruling, None)
            elif "publish" in record:
                self.published[str(record["publish"])] = _inside(record["as"])
            else:
                self._forget(str(record["again"]))
        except (ValueError, KeyError, TypeError) as error:
            remedy = "Name another output folder, or start anew with --force"
            raise InputError.at(self.path, "is damaged", line=number, remedy=remedy) from error

    def begin(self, header: Mapping[str, Any]) -> None:
        """Begin a new file."""
        self.header = {"format": FORMAT, "version": VERSION, **header}
        write_atomic(self.path, json.dumps(self.header) + "\n", force=True, private=True)

    def add(self, outcome: Outcome) -> None:
        self.outcomes[outcome.ruling] = outcome
        self.published.pop(outcome.ruling, None)
        self._append({"outcome": asdict(outcome)})

    def publish(self, ruling: str, name: str) -> None:
        """Note where an output goes, before it is moved there."""
        self.published[ruling] = name
        self._append({"publish": ruling, "as": name})

    def again(self, ruling: str) -> None:
        """Forget a ruling that is to be done again, and remove what was made of it."""
        self._remove(ruling)
        self._forget(ruling)
        self._append({"again": ruling})

    def _forget(self, ruling: str) -> None:
        self.outcomes.pop(ruling, None)
        self.published.pop(ruling, None)

    def _remove(self, ruling: str) -> None:
        outcome = self.outcomes.get(ruling)
        if outcome is not None and outcome.attempt:
            shutil.rmtree(self.work / outcome.attempt, ignore_errors=True)
        if ruling in self.published:
            with suppress(OSError):
                (self.output / self.published[ruling]).unlink()

    def remove_all(self) -> None:
        """Remove all that this batch has made, to start anew."""
        for ruling in self.outcomes:
            self._remove(ruling)
        shutil.rmtree(self.work, ignore_errors=True)
        self.path.unlink(missing_ok=True)
        self.header, self.outcomes, self.published = None, {}, {}

    def _append(self, record: Mapping[str, Any]) -> None:
        try:
            with self.path.open("ab") as stream:
                stream.write(json.dumps(record).encode() + b"\n")
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise InputError.at(self.path, f"cannot be written ({error.strerror})") from error

    # --- outputs ----------------------------------------------------------------------------------------------------

    def landed(self, outcome: Outcome) -> Outcome:
        """The outcome as it is kept; what it brought is where a worker of our own would have left it."""
        if not isinstance(outcome, Carried):
            return outcome
        write_atomic(self.staged(outcome), outcome.content, force=True, private=True)
        return Outcome(**{field.name: getattr(outcome, field.name) for field in fields(Outcome)})

    def staged(self, outcome: Outcome) -> Path:
        """Where a worker left the output."""
        return self.work / outcome.attempt / outcome.name

    def is_there(self, ruling: str) -> bool:
        """Whether the output of a done ruling is there, with its name or yet without."""
        outcome = self.outcomes[ruling]
        return self.staged(outcome).is_file() or (
            ruling in self.published and (self.output / self.published[ruling]).is_file()
        )

    def is_published(self, ruling: str) -> bool:
        return ruling in self.published and not self.staged(self.outcomes[ruling]).is_file()

    def harvest(self, rulings: Iterable[str]) -> list[Outcome]:
        """What workers finished of these rulings without anybody hearing of it."""
        wanted = {ruling for ruling in rulings if ruling not in self.outcomes}
        found = {}
        for path in sorted(self.work.glob(f"*/{RECORD}")):
            with suppress(OSError, ValueError, TypeError):
                outcome = Outcome.from_dict(json.loads(path.read_bytes()))
                whole = not outcome.done or digest_of(self.staged(outcome)) == outcome.output
                if outcome.ruling in wanted and outcome.attempt == path.parent.name and whole:
                    found[outcome.ruling] = outcome
        return list(found.values())

    def is_started(self, ruling: str) -> bool:
        """Whether a worker is at the ruling, or died of it."""
        return mark_of(self.work, ruling).exists()

    def sweep(self) -> None:
        """Remove what attempts left behind that nobody needs any more, and all marks."""
        shutil.rmtree(self.folder / STARTED, ignore_errors=True)
        waiting = {o.attempt for r, o in self.outcomes.items() if o.done and not self.is_published(r)}
        for path in self.work.glob("*"):
            if path.name not in waiting:
                shutil.rmtree(path, ignore_errors=True)


def _header(record: Any) -> dict[str, Any]:
    if not isinstance(record, dict) or record.get("format") != FORMAT or record.get("version") != VERSION:
        raise ValueError("no state of a batch")
    return record


def _inside(path: Any) -> str:
    """A path that stays in the folder it is in; the file is ours, but what it says is removed and moved."""
    parts = PurePosixPath(path).parts
    if not isinstance(path, str) or not parts or path.startswith("/") or ".." in parts:
        raise ValueError("a path that leaves the folder")
    return path


def mark_of(work: Path, ruling: str) -> Path:
    """The mark that stands while a ruling is worked on."""
    return work.with_name(STARTED) / hashlib.sha256(ruling.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def digest_of(path: Path) -> str:
    """SHA-256 of a file's bytes."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@contextmanager
def locked(output: str | Path) -> Iterator[None]:
    """The output folder for this process alone (where the system has such locks): raises `InputError` where another
    run works in it."""
    folder = Path(output) / FOLDER
    try:
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
        stream = (folder / LOCK).open("ab")
    except OSError as error:
        raise InputError.at(folder, f"cannot be written ({error.strerror})") from error
    with stream:
        _lock(stream.fileno(), output)
        yield


def _lock(handle: int, output: str | Path) -> None:
    try:
        import fcntl
    except ImportError:  # not on Windows
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise InputError.at(output, "another batch is at work there", remedy="Wait for it, or stop it") from error
