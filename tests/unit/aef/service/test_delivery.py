"""A result is erased once it was delivered whole and a time of grace is over: a broken download is repeated."""

from __future__ import annotations

import time
from base64 import b64decode, b64encode
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from serving import Serving, reset

Start = Callable[..., AbstractContextManager[Serving]]
LARGE = b"H.R. appeals.\n" * 2_000_000
"""More than the network takes in before anybody reads."""


def test_a_broken_download_is_repeated(serving: Start) -> None:
    with serving(again=0.2) as service, service.client() as client:
        ruling = service.done(LARGE)
        broken = service.connected(service.asks(f"/v1/rulings/{ruling}/result"))
        assert broken.recv(1000).startswith(b"HTTP/1.1 200")
        reset(broken)
        time.sleep(0.4)
        service.made.desk.queue.expire()
        again = client.get(f"/v1/rulings/{ruling}/result")
        assert again.status_code == 200 and again.content == LARGE, (again.status_code, again.content[:300])
        _until(lambda: client.get(f"/v1/rulings/{ruling}").json()["state"] == "taken", service)
        assert client.get(f"/v1/rulings/{ruling}/result").status_code == 410


def test_what_was_delivered_can_be_fetched_again_for_a_while(serving: Start) -> None:
    with serving(again=300.0) as service, service.client() as client:
        ruling = service.done(b"H. appeals.")
        for _ in range(2):
            assert client.get(f"/v1/rulings/{ruling}/result").content == b"H. appeals."
            found = client.post("/getResult", json={"id": ruling}).json()
            assert b64decode(found["document"]) == b"H. appeals."
            service.made.desk.queue.expire()
        expires = client.get(f"/v1/rulings/{ruling}").json()["expires"]
        assert expires < time.time() + 301
        assert client.delete(f"/v1/rulings/{ruling}").status_code == 204, "acknowledged: it goes at once"
        assert client.get(f"/v1/rulings/{ruling}/result").status_code == 404


def test_what_is_to_be_kept_is_not_erased_by_being_fetched(serving: Start) -> None:
    with serving(again=0.01) as service, service.client() as client:
        ruling = service.done(b"H. appeals.")
        assert client.get(f"/v1/rulings/{ruling}/result", params={"keep": True}).status_code == 200
        time.sleep(0.1)
        service.made.desk.queue.expire()
        assert client.get(f"/v1/rulings/{ruling}").json()["state"] == "done"


@pytest.mark.parametrize("how", ["doAnonymization", "anonymize"])
def test_a_request_sent_again_after_a_broken_answer_gets_the_result(serving: Start, how: str) -> None:
    import threading

    with serving() as service, service.client() as client:
        ask: dict[str, Any] = {"files": {"file": ("a.txt", b"Mr. Hale appeals.")}}
        path = "/v1/anonymize"
        if how == "doAnonymization":
            path, ask = f"/{how}", {"json": {"document": b64encode(b"Mr. Hale appeals.").decode(), "type": "txt"}}
        ask["headers"] = {"Idempotency-Key": "case-7"}
        request = client.build_request("POST", path, **ask)
        head = "".join(f"{n}: {v}\r\n" for n, v in request.headers.items())
        broken = service.connected(f"POST {path} HTTP/1.1\r\n{head}\r\n".encode() + request.read())
        while not service.made.desk.queue.counts():
            time.sleep(0.01)
        worker = threading.Thread(target=service.finish, args=(LARGE,))
        worker.start()
        assert broken.recv(1000).startswith(b"HTTP/1.1 200")
        reset(broken)
        worker.join()
        answer = client.send(request)
        assert answer.status_code == 200
        found = b64decode(answer.json()["document"]) if how == "doAnonymization" else answer.content
        assert found == LARGE
        if how == "anonymize":
            assert client.get(answer.headers["Content-Location"]).content == LARGE


def _until(holds: Callable[[], bool], service: Serving) -> None:
    hung = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < hung
        time.sleep(0.05)
        service.made.desk.queue.expire()
