"""Requests that came out wrong once: odd ids, bodies in chunks, a ruling handed in again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pytest
from serving import Serving

from aef.service import keys

Start = Callable[..., AbstractContextManager[Serving]]
FORM = {"files": {"file": ("a.txt", b"Mr. Hale appeals.")}}


@pytest.mark.parametrize("ruling", ["\\ud800", "\\u0000", "\\u0000" * 32, "0" * 31, "A" * 32, "' OR 1=1 --"])
def test_what_is_no_id_is_unknown(serving: Start, ruling: str) -> None:
    """Each would be looked for in the database, which cannot take the first ones."""
    with serving() as service, service.client() as client:
        kind = {"Content-Type": "application/json"}
        answer = client.post("/getResult", content=f'{{"id": "{ruling}"}}'.encode(), headers=kind)
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown_ruling")
        assert client.delete("/v1/rulings/%00").status_code == 404


URGENT = [
    ("submit,read,urgent", "/doAnonymization", 10, "it waits: before the rest"),
    ("submit,read", "/doAnonymization", 0, "in its turn"),
    ("submit,read,urgent", "/v1/anonymize", 10, "it waits: before the rest"),
    ("submit,read", "/v1/anonymize", 0, "in its turn"),
    ("submit,read,urgent", "/v1/rulings", 10, "asked for"),
    ("submit,read", "/v1/rulings", None, "asked for without the right"),
]


@pytest.mark.parametrize(("rights", "path", "priority", "reason"), URGENT, ids=[" ".join(row[:2]) for row in URGENT])
def test_the_key_decides_who_goes_first(
    serving: Start, rights: str, path: str, priority: int | None, reason: str
) -> None:
    with serving(wait=0.1) as service, service.client() as client:
        key = keys.add(service.made.desk.settings.keys, "clerk", rights.split(","))
        asked = {"priority": "interactive"} if path == "/v1/rulings" else {}
        given = {"json": {"document": "TXIuIEhhbGU=", "type": "txt"}} if path[1] == "d" else {**FORM, "data": asked}
        answer = client.post(path, **given, headers={"Authorization": f"Bearer {key}"})
        if priority is None:
            assert (answer.status_code, answer.json()["code"]) == (403, "no_right"), reason
        else:
            assert answer.status_code in (202, 504)
        found = service.made.desk.queue.counts()
        assert found == ({} if priority is None else {("queued", priority): 1}), reason


@pytest.mark.parametrize("path", ["/startAnonymization", "/doAnonymization", "/v1/rulings", "/v1/anonymize"])
def test_a_body_in_chunks_that_is_too_large(serving: Start, path: str) -> None:
    """Its length is not said beforehand."""

    def chunks() -> Iterator[bytes]:
        yield (
            b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n' if "/v1" in path else b'{"a'
        )
        for _ in range(40):
            yield b"x" * 10_000

    kind = "multipart/form-data; boundary=b" if "/v1" in path else "application/json"
    with serving(size=100_000) as service, service.client() as client:
        answer = client.post(path, content=chunks(), headers={"Content-Type": kind})
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_a_ruling_handed_in_again_is_told_as_it_is(serving: Start) -> None:
    with serving() as service, service.client() as client:
        again = {"Idempotency-Key": "case-7"}
        first = client.post("/v1/rulings", **FORM, headers=again).json()
        assert first["state"] == "queued"
        service.finish(b"H. appeals.")
        assert client.post("/v1/rulings", **FORM, headers=again).json() == {"id": first["id"], "state": "done"}
        client.get(f"/v1/rulings/{first['id']}/result")
        assert client.post("/v1/rulings", **FORM, headers=again).json()["state"] == "done"
