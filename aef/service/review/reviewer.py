"""Reviews as the page's addresses ask for them: from the sealed database to the process that has them open."""

from __future__ import annotations

import itertools
import shutil
import subprocess
import threading
from collections.abc import Callable, Mapping
from functools import partial
from multiprocessing.connection import wait
from typing import Any
from uuid import uuid4

from sqlalchemy.exc import SQLAlchemyError

from aef.editing.web.desk import Desk, Shown, Stale
from aef.errors import InputError
from aef.service.review.process import STALE, UNKNOWN, WRONG
from aef.workers import frames
from aef.workers.database import RESULT
from aef.workers.reviews import Finished, Review, Reviews
from aef.workers.settings import Settings

_START = 120.0  # seconds in which the process has to be ready


class Reviewer:
    """The process with the open sessions: started when it is first needed, and anew where it died or takes too long."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._folder = settings.work_folder / "review"
        self._numbers = itertools.count()

    def ask(self, asked: Mapping[str, Any], content: bytes = b"") -> tuple[dict[str, Any], bytes]:
        """What the process answers. Raises `Stale`; `InputError` for what it takes for wrong, and where it gives no
        answer."""
        with self._lock:
            try:
                answer, body = self._answer({**asked, "number": next(self._numbers)}, content)
            except (OSError, EOFError, TimeoutError) as error:
                self._end()
                raise InputError(
                    "the ruling could not be worked on in time. Your answers are kept: try again"
                ) from error
        if answer.get(STALE):
            raise Stale
        if WRONG in answer:
            raise InputError(str(answer[WRONG]))
        return answer, body

    def stop(self) -> None:
        with self._lock:
            self._end()

    def _answer(self, asked: Mapping[str, Any], content: bytes) -> tuple[dict[str, Any], bytes]:
        process = self._process
        if process is None or process.poll() is not None:
            process = self._started()
        assert process.stdin is not None
        frames.write(process.stdin, asked, content)
        answer, body = self._read(process, self._settings.limits.time)
        if answer["number"] != asked["number"]:  # never one ruling's answer for another's
            raise EOFError
        return answer, body

    def _read(self, process: subprocess.Popen[bytes], seconds: float) -> tuple[dict[str, Any], bytes]:
        assert process.stdout is not None
        if not wait([process.stdout.fileno()], seconds):
            raise TimeoutError
        return frames.read(process.stdout)

    def _started(self) -> subprocess.Popen[bytes]:
        self._end()
        self._folder = self._settings.work_folder / f"review-{uuid4().hex}"
        self._folder.mkdir(parents=True, mode=0o700)
        self._process = process = frames.spawned("aef.service.review.process")
        assert process.stdin is not None
        recipe = self._settings.recipe.resolved().as_dict()
        told = {"recipe": recipe, "folder": str(self._folder.resolve()), "memory": self._settings.limits.memory}
        frames.write(process.stdin, told)
        self._read(process, _START)
        return process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            frames.ended(process)
            shutil.rmtree(self._folder, ignore_errors=True)


class _Reviewed:
    """One ruling of a reviewer."""

    def __init__(self, office: Office, reviewer: str, ruling: str, kind: str) -> None:
        self._office, self._reviewer, self._id = office, reviewer, ruling
        self.name, self.finished = f"{ruling[:8]}.{kind}", False

    def text(self) -> dict[str, Any]:
        return dict(self._ask({"what": "text"})[0]["told"])

    def shown(self) -> dict[str, Any]:
        return dict(self._ask({"what": "shown"})[0]["told"])

    def change(self, version: int, action: str, **values: Any) -> dict[str, Any]:
        answer, _ = self._ask({"what": "change", "version": version, "action": action, "values": values})
        try:
            there = self._office.reviews.save(self._reviewer, self._id, answer["answers"])
        except SQLAlchemyError as error:
            raise InputError("the answer could not be kept: the database does not answer. Try again") from error
        if not there:
            raise InputError("the ruling is not there to be reviewed any more")
        return dict(answer["told"])

    def finish(self, version: int, force: bool, review: bool) -> dict[str, Any]:
        answer, content = self._ask({"what": "finish", "version": version})
        told: dict[str, Any] = {**answer["told"], "files": [self.name]}
        if told["written"]:
            gold, protocol = answer["gold"].encode(), answer["protocol"].encode()
            self._office.end(self._reviewer, self._id, Finished(content, gold, protocol, answer["figures"]))
        return told

    def safe(self) -> tuple[str, bytes]:
        raise NotImplementedError("it is not finished: its address is never asked for that")

    def _ask(self, asked: Mapping[str, Any]) -> tuple[dict[str, Any], bytes]:
        answer, body = self._office.reviewer.ask({**asked, "id": self._id})
        if answer.get(UNKNOWN):
            self._office.reviewer.ask(*self._opening())
            answer, body = self._office.reviewer.ask({**asked, "id": self._id})
        return answer, body

    def _opening(self) -> tuple[dict[str, Any], bytes]:
        found: Review | None = self._office.reviews.opened(self._reviewer, self._id)
        if found is None:
            raise InputError("the ruling is not there to be reviewed any more")
        given = {"id": found.id, "format": found.format, "options": found.options, "answers": found.answers}
        return {"what": "open", **given}, found.original


class _Made:
    """A ruling that its reviewer has finished: its safe file can be had, and nothing else."""

    finished = True

    def __init__(self, name: str, content: bytes) -> None:
        self.name, self._content = name, content

    def text(self) -> dict[str, Any]:
        raise InputError("the ruling is finished")

    def shown(self) -> dict[str, Any]:
        raise InputError("the ruling is finished")

    def change(self, version: int, action: str, **values: Any) -> dict[str, Any]:
        raise InputError("the ruling is finished")

    def finish(self, version: int, force: bool, review: bool) -> dict[str, Any]:
        raise InputError("the ruling is finished")

    def safe(self) -> tuple[str, bytes]:
        return self.name, self._content


class Office:
    """All reviews of a service. ended : is told of each ruling that is done (reviewer, id, what came of it)."""

    def __init__(self, reviews: Reviews, reviewer: Reviewer, ended: Callable[[str, str, Finished], None]) -> None:
        self.reviews, self.reviewer, self._ended = reviews, reviewer, ended

    def end(self, reviewer: str, ruling: str, made: Finished) -> None:
        """Raises `InputError` where the ruling is gone meanwhile."""
        if not self.reviews.finish(reviewer, ruling, made):
            raise InputError("the ruling is not there to be reviewed any more")
        self._ended(reviewer, ruling, made)

    def desk(self, reviewer: str) -> Desk:
        return _OfOne(self, reviewer)


class _OfOne(Desk):
    """The rulings that wait for one reviewer."""

    takes, copies = True, False

    def __init__(self, office: Office, reviewer: str) -> None:
        self._office, self._reviewer = office, reviewer

    @property
    def rulings(self) -> Mapping[str, Shown]:  # type: ignore[override]
        opened = partial(_Reviewed, self._office, self._reviewer)
        return {key: opened(key, kind) for key, kind in self._office.reviews.listed(self._reviewer).items()}

    def ruling(self, key: str) -> Shown | None:
        if (waits := self.rulings.get(key)) is not None:
            return waits
        made = self._office.reviews.made(self._reviewer, key, RESULT)
        return _Made(f"{key[:8]}-safe.{made[0]}", made[1]) if made is not None else None
