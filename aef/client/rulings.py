"""The requests of `aef.client`, and what they are answered."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

import httpx

_TRIES = 6
_LATER = (429, 503)
_LONGEST = 30.0  # seconds between two tries


class Refused(Exception):
    """What the service answered with a problem. code : for programs; ruling : the id of the one it is about."""

    def __init__(self, status: int, code: str, detail: str, ruling: str | None = None) -> None:
        super().__init__(f"{detail} ({status} {code})")
        self.status, self.code, self.detail, self.ruling = status, code, detail, ruling


@dataclass(frozen=True)
class Ruling:
    """The state of a ruling; times in seconds since 1970."""

    id: str
    state: str
    format: str = ""
    created: float = 0.0
    finished: float | None = None
    expires: float | None = None
    ahead: int | None = None
    reason: str | None = None
    detail: str | None = None
    figures: dict[str, int] | None = None


@dataclass(frozen=True)
class Event:
    """A ruling that ended. last : what `Client.events` goes on from."""

    id: str
    state: str
    reason: str | None
    last: str


class Client:
    """Requests with one API key; to be closed, or used by ``with``.

    address : of the service. timeout : seconds for one request. transport : in the place of the network, for tests.
    """

    def __init__(
        self,
        address: str,
        key: str,
        *,
        timeout: float = 180.0,
        verify: bool | str = True,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        headers = {"Authorization": f"Bearer {key}"}
        self._http = httpx.Client(
            base_url=address, headers=headers, timeout=timeout, verify=verify, transport=transport
        )
        self._sleep = sleep

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def anonymize(self, ruling: str | Path, **options: str | int) -> bytes:
        """The anonymized ruling, in the format it came in. options : scheme, policy, language, pipeline, seed.

        Raises `Refused`, `OSError` for a file that cannot be read, and `httpx.TransportError` where nobody answers.
        """
        return self._sent("/v1/anonymize", Path(ruling), options).content

    def hand_in(self, ruling: str | Path, *, reviewer: str = "", **options: str | int) -> str:
        """The id of a ruling that was taken in. reviewer : the client whose editor goes through it. Raises as
        `anonymize`."""
        if reviewer:
            options["reviewer"] = reviewer
        return str(self._sent("/v1/rulings", Path(ruling), options).json()["id"])

    def ruling(self, ruling: str, wait: float = 0.0) -> Ruling:
        """The state of a ruling; waits so many seconds for its end. Raises `Refused`."""
        given: Mapping[str, Any] = self._asked("GET", f"/v1/rulings/{ruling}", params={"wait": wait}).json()
        known = {field.name for field in fields(Ruling)}
        return Ruling(**{name: value for name, value in given.items() if name in known})

    def result(self, ruling: str, wait: float = 0.0) -> bytes:
        """The anonymized ruling; it is erased some minutes after. Raises `Refused` for one that is not done."""
        return self._asked("GET", f"/v1/rulings/{ruling}/result", params={"wait": wait}).content

    def corrections(self, ruling: str) -> dict[str, Any]:
        """What an editor made of a ruling, as a gold document. Raises `Refused` for one that was not reviewed."""
        return dict(self._asked("GET", f"/v1/rulings/{ruling}/corrections").json())

    def erase(self, ruling: str) -> None:
        """Erase a ruling, whatever its state. Raises `Refused`."""
        self._asked("DELETE", f"/v1/rulings/{ruling}")

    def events(self, last: str | None = None) -> Iterator[Event]:
        """The rulings that end from now on, or from an event on, without an end; an event may come twice. A stream that
        breaks is asked for anew."""
        while True:
            headers = {"Last-Event-ID": last} if last is not None else {}
            with suppress(httpx.TransportError), self._http.stream("GET", "/v1/events", headers=headers) as stream:
                if stream.status_code >= 400:
                    stream.read()
                    _must_be_right(stream)
                for event in _events(stream.iter_lines()):
                    last = event.last
                    yield event
            self._sleep(1.0)

    def _sent(self, path: str, file: Path, options: Mapping[str, str | int]) -> httpx.Response:
        content = file.read_bytes()
        key = {"Idempotency-Key": uuid4().hex}
        form = {name: str(value) for name, value in options.items()}
        # of the file's name, which may be somebody's, the service needs the suffix alone
        return self._asked("POST", path, files={"file": (f"ruling{file.suffix}", content)}, data=form, headers=key)

    def _asked(self, method: str, path: str, **what: Any) -> httpx.Response:
        for turn in range(_TRIES):
            last = turn == _TRIES - 1
            try:
                answer = self._http.request(method, path, **what)
            except httpx.TransportError:
                if last:
                    raise
                self._sleep(2.0**turn)
                continue
            if answer.status_code not in _LATER or last:
                break
            self._sleep(min(float(answer.headers.get("Retry-After", 2**turn)), _LONGEST))
        _must_be_right(answer)
        return answer


def _must_be_right(answer: httpx.Response) -> None:
    if answer.status_code < 400:
        return
    try:
        problem = answer.json()
        raise Refused(answer.status_code, problem["code"], problem["detail"], problem.get("ruling"))
    except (ValueError, KeyError, TypeError) as error:  # of a proxy between, perhaps
        raise Refused(answer.status_code, "unknown", "no answer of the service") from error


def _events(lines: Iterator[str]) -> Iterator[Event]:
    """The events of a stream."""
    last = ""
    for line in lines:
        name, _, value = line.partition(": ")
        if name == "id":
            last = value
        elif name == "data":
            said = json.loads(value)
            yield Event(said["id"], said["state"], said.get("reason"), last)
