"""Connections: who is slow is cut off, who is silent gives way, and health is always answered."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import httpx
import pytest
from serving import Serving, certified, serving_with

from aef.service.connections import neighbourhood
from aef.workers.settings import Settings

Start = Callable[..., AbstractContextManager[Serving]]
LARGE = b"H.R. appeals.\n" * 2_000_000
"""More than the network takes in before anybody reads."""


def test_silent_connections_lock_nobody_out(serving: Start) -> None:
    with serving(connections=5, per_address=20) as service:
        silent = [service.connected() for _ in range(20)]
        with service.client() as client:
            assert client.get("/v1/live").status_code == 200
            assert client.get("/v1/rulings/0").status_code == 404
        assert silent[0].recv(1) == b"", "the oldest gave way"


@pytest.mark.parametrize("limits", [{"connections": 2}, {"per_address": 2}], ids=["of all", "of one address"])
def test_where_there_is_no_room_health_is_answered(serving: Start, limits: dict[str, int]) -> None:
    with serving(**limits) as service:
        busy = [_sends_slowly(service) for _ in range(2)]
        with service.client() as client:
            for path in ("/v1/live", "/v1/ready", "/v1/health", "/checkHealth"):
                assert client.get(path).status_code in (200, 503) and "status" in client.get(path).json()
            assert client.get("/v1/live").status_code == 200
            full = client.get("/v1/rulings/0")
        assert (full.status_code, full.json()["code"]) == (503, "too_many_connections")
        assert int(full.headers["Retry-After"]) > 0
        assert [_reset_by_service(one) for one in busy] == [False, False], "who has a key and is at work stays"


def test_beyond_the_lane_nobody_is_let_in(serving: Start) -> None:
    """The lane has an end; what idles in it gives way as elsewhere."""
    with serving(connections=1) as service:
        busy = _sends_slowly(service)
        silent = [service.connected() for _ in range(40)]
        assert httpx.get(f"http://127.0.0.1:{service.port}/v1/live").status_code == 200
        assert silent[0].recv(1) == b"" and not _reset_by_service(busy)


def test_a_slow_header_is_cut_off(serving: Start) -> None:
    with serving(header=0.3) as service:
        for said in (b"", b"GET /v1/live HTTP/1.1\r\nHost: a", b"GET /v1/live HTTP/1.1\r\nHost: a\r\n\r\nGET"):
            connection = service.connected(said)
            while connection.recv(10_000):
                pass  # what is answered; then it ends


def test_a_slow_body_is_cut_off(serving: Start) -> None:
    with serving(stall=0.3) as service:
        connection = _sends_slowly(service)
        assert _reset_by_service(connection, 20)


def test_a_body_over_a_slow_line_is_not(serving: Start) -> None:
    content = b"Mr. Hale appeals. " * 6000
    form = b"--b\r\nContent-Disposition: form-data; name=file; filename=a.txt\r\n\r\n" + content + b"\r\n--b--\r\n"
    with serving(stall=0.5) as service:
        more = f"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: {len(form)}\r\n"
        connection = service.connected(service.asks("/v1/rulings", "POST", more))
        for at in range(0, len(form), 10_000):
            connection.sendall(form[at : at + 10_000])
            time.sleep(0.15)
        assert connection.recv(100).startswith(b"HTTP/1.1 202")


def test_an_answer_that_is_not_taken_is_cut_off(serving: Start) -> None:
    with serving(stall=0.3) as service, service.client() as client:
        ruling = service.done(LARGE)
        connection = service.connected(service.asks(f"/v1/rulings/{ruling}/result"))
        _until(lambda: '"/v1/rulings/{ruling}/result"' in _log(service))  # the request is over
        assert client.get(f"/v1/rulings/{ruling}").json()["expires"] > time.time() + 1000, "it was not delivered"
        assert connection.recv(10).startswith(b"HTTP/1.1 2")
        assert client.get(f"/v1/rulings/{ruling}/result").content == LARGE


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8::1", "2001:db8::ffff:2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("/run/socket", "/run/socket", True),
    ],
)
def test_who_has_one_address_in_ipv6_has_them_all(one: str, other: str, same: bool) -> None:
    assert (neighbourhood(one) == neighbourhood(other)) == same


def _sends_slowly(service: Serving) -> socket.socket:
    """With a key, in the middle of a body."""
    connection = service.connected(service.asks("/startAnonymization", "POST", "Content-Length: 5000\r\n") + b"{")
    time.sleep(0.3)
    return connection


def _reset_by_service(connection: socket.socket, seconds: float = 0.2) -> bool:
    connection.settimeout(seconds)
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False


def _log(service: Serving) -> str:
    log = service.made.desk.settings.log
    assert log is not None
    return log.read_text()


def _until(holds: Callable[[], bool]) -> None:
    hung = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < hung
        time.sleep(0.05)


def test_requests_are_answered_over_tls(tmp_path: Path) -> None:
    """Short answers and those that the network does not take in at once."""
    trust = certified(tmp_path)
    made = {"certificate": tmp_path / "c.pem", "private_key": tmp_path / "k.pem", "log": tmp_path / "log"}
    with serving_with(Settings(tmp_path / "data", port=0, **made)) as service:
        address, header = f"https://127.0.0.1:{service.port}", {"Authorization": f"Bearer {service.key}"}
        with httpx.Client(base_url=address, headers=header, verify=trust, timeout=20) as client:
            assert client.get("/v1/live").json() == {"status": "alive"}
            ruling = client.post("/v1/rulings", files={"file": ("a.txt", b"Mr. Hale appeals.")}).json()["id"]
            service.finish(LARGE)
            assert client.get(f"/v1/rulings/{ruling}/result").content == LARGE
            assert client.get(f"/v1/rulings/{ruling}").json()["expires"] < time.time() + 301
