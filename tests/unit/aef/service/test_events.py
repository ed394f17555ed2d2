"""Nobody has to poll; nobody may flood."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from serving import Serving

from aef.service import keys

Start = Callable[..., AbstractContextManager[Serving]]
FORM = {"files": {"file": ("a.txt", b"Mr. Hale appeals.")}}


def told(service: Serving, number: int, key: str = "", **headers: str) -> list[dict[str, Any]]:
    """The first events of a stream, each with its id."""
    found: list[dict[str, Any]] = []
    last = ""
    sent = {"Authorization": f"Bearer {key or service.key}", **headers}
    with service.client() as client, client.stream("GET", "/v1/events", headers=sent) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        for line in stream.iter_lines():
            last = line[4:] if line.startswith("id: ") else last
            if line.startswith("data: "):
                found.append({**json.loads(line[6:]), "at": last})
            if len(found) == number:
                break
    return found


def test_a_client_is_told_when_its_rulings_end_and_of_nobody_else_s(serving: Start) -> None:
    with serving() as service:
        other = keys.add(service.made.desk.settings.keys, "chamber")
        with service.client() as client:
            theirs = client.post("/v1/rulings", **FORM, headers={"Authorization": f"Bearer {other}"}).json()["id"]
        service.finish(b"H. appeals.")
        later = threading.Timer(1.0, lambda: made.extend(service.done(b"H. appeals.") for _ in range(2)))
        made: list[str] = []
        later.start()
        events = told(service, 2)
        later.join()
        assert [(e["id"], e["state"], e["reason"]) for e in events] == [(ruling, "done", None) for ruling in made]
        assert theirs not in {e["id"] for e in events}
        again = told(service, 2, **{"Last-Event-ID": events[0]["at"]})
        assert [e["id"] for e in again] == made, "a stream that broke goes on, from the event on"


def test_what_is_no_event_s_id_is_refused(serving: Start) -> None:
    with serving() as service, service.client() as client:
        answer = client.get("/v1/events", headers={"Last-Event-ID": "' OR 1=1"})
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid")


def test_who_hands_in_too_fast_is_told_when_to_come_again(serving: Start) -> None:
    with serving(rate=3.0) as service, service.client() as client:
        answers = [client.post("/v1/rulings", **FORM) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [202, 202, 202, 429]
        assert answers[3].json()["code"] == "too_fast" and 1 <= int(answers[3].headers["Retry-After"]) <= 20
        other = keys.add(service.made.desk.settings.keys, "chamber")
        assert client.post("/v1/rulings", **FORM, headers={"Authorization": f"Bearer {other}"}).status_code == 202


def test_a_key_has_a_pace_of_its_own(serving: Start) -> None:
    with serving(rate=2.0) as service, service.client() as client:
        where = service.made.desk.settings.keys
        for rate, answers in ((1.0, [202, 429]), (3.0, [202, 202, 202, 429])):
            held = {"Authorization": f"Bearer {keys.add(where, f'client {rate:g}', rate=rate)}"}
            assert [client.post("/v1/rulings", **FORM, headers=held).status_code for _ in answers] == answers
