"""What has not arrived is not delivered, and what has is: a server process, and clients that do as clients do, good and
bad, fifty times each."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass

import httpx
import pytest
from serving import certified, reset

from aef.benchmarks.served import Server, start
from aef.service import keys
from aef.workers.database import Database
from aef.workers.queue import Queue
from aef.workers.settings import Settings
from aef.workers.states import Submission
from aef.workers.vault import Vault

TIMES = 50
SMALL, LARGE = b"H.R. appeals.\n" * 1500, b"H.R. appeals.\n" * 400_000
"""What the network takes in before anybody reads, and more than that."""
AGAIN = 600.0

pytestmark = pytest.mark.slow


@dataclass
class Place:
    """A server with results. small : enough of them that each is fetched once; large : one."""

    server: Server
    small: list[str]
    large: str
    trust: ssl.SSLContext | None

    def connected(self, ruling: str, more: str = "", version: str = "1.1") -> socket.socket:
        """A connection on which a result was asked for."""
        host, port = self.server.address.partition("//")[2].split(":")
        made = socket.socket()
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 100_000)
        made.settimeout(20)
        made.connect((host, int(port)))
        if self.trust is not None:
            made = self.trust.wrap_socket(made, server_hostname="localhost", suppress_ragged_eofs=True)
        made.sendall(self.asked(ruling, more, version))
        return made

    def asked(self, ruling: str, more: str = "", version: str = "1.1") -> bytes:
        head = f"GET /v1/rulings/{ruling}/result HTTP/{version}\r\nHost: a\r\n{more}"
        return f"{head}Authorization: Bearer {self.server.key}\r\n\r\n".encode()

    def client(self) -> httpx.Client:
        header = {"Authorization": f"Bearer {self.server.key}"}
        return httpx.Client(base_url=self.server.address, headers=header, verify=self.trust or True, timeout=60)

    def delivered(self, ruling: str) -> bool:
        with self.client() as client:
            return bool(client.get(f"/v1/rulings/{ruling}").json()["expires"] < time.time() + AGAIN)


@pytest.fixture(scope="module", params=["plain", "TLS"])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("downloads")
    settings, options, trust = Settings(folder / "data"), ["--workers", "1", "--reserved", "0"], None
    if request.param == "TLS":
        trust = certified(folder)
        options += ["--certificate", str(folder / "c.pem"), "--private-key", str(folder / "k.pem")]
    settings.data.mkdir(mode=0o700)
    with closing(Database(settings.url)) as database:
        queue = Queue(database, Vault.load(settings.data))
        small = [made(queue, SMALL) for _ in range(TIMES * len(GOOD))]
        large = made(queue, LARGE)
    key = keys.add(settings.keys, "registry")
    server = start(folder, *options, "--max-again", str(AGAIN), key=key)
    yield Place(server, small, large, trust)
    assert server.stop() == 0


def made(queue: Queue, result: bytes) -> str:
    """The id of a ruling that is done."""
    ruling, _ = queue.submit(Submission("registry", b"Mr. Hale appeals.", "txt"))
    job = queue.claim()
    assert job is not None and queue.finish(job, result, {})
    return ruling


# --- what breaks ----------------------------------------------------------------------------------------------------


def first(connection: socket.socket) -> None:
    """The first thousand bytes."""
    got = 0
    while got < 1000 and (piece := connection.recv(1000 - got)):
        got += len(piece)


def is_reset(connection: socket.socket) -> None:
    first(connection)
    reset(connection)


def is_closed(connection: socket.socket) -> None:
    first(connection)
    connection.close()


def is_closed_with_nothing_left_to_read(connection: socket.socket) -> None:
    """Killed while it waits for the network: no reset, for all that came was read."""
    first(connection)
    connection.settimeout(0.0)
    got = 0
    with suppress(BlockingIOError, ssl.SSLWantReadError):
        while got < len(LARGE) // 2:
            got += len(connection.recv(1_000_000))
    connection.close()


def is_half_closed(connection: socket.socket) -> None:
    connection.shutdown(socket.SHUT_WR)
    with suppress(OSError):
        first(connection)
    reset(connection)


def is_half_closed_later(connection: socket.socket) -> None:
    first(connection)
    connection.shutdown(socket.SHUT_WR)
    reset(connection)


def is_slow_and_reset(connection: socket.socket) -> None:
    for _ in range(5):
        connection.recv(200)
        time.sleep(0.002)
    reset(connection)


def lacks_the_last_byte(connection: socket.socket) -> None:
    read(connection, missing=1)
    connection.close()


BAD = [
    is_reset,
    is_closed,
    is_closed_with_nothing_left_to_read,
    is_half_closed,
    is_half_closed_later,
    is_slow_and_reset,
    lacks_the_last_byte,
]


UNTOLD = [is_closed_with_nothing_left_to_read, is_half_closed_later]
"""Of a result that came whole, though not all was read."""


@pytest.mark.parametrize("more", ["", "Connection: close\r\n"], ids=["kept alive", "to be closed"])
@pytest.mark.parametrize("size", ["small", "large"])
@pytest.mark.parametrize("breaks", BAD, ids=[how.__name__ for how in BAD])
def test_what_has_not_arrived_is_not_delivered(
    place: Place, breaks: Callable[[socket.socket], None], size: str, more: str
) -> None:
    if (size == "small" and breaks in UNTOLD) or (place.trust is not None and breaks is lacks_the_last_byte):
        pytest.skip("TCP has all of it: see below")
    ruling = place.large if size == "large" else place.small[0]
    for _ in range(TIMES if size == "small" or place.trust is None else TIMES // 5):
        breaks(place.connected(ruling, more))
    time.sleep(0.3)
    assert not place.delivered(ruling)
    whole = place.connected(ruling)
    assert read(whole, missing=0) == (LARGE if size == "large" else SMALL), "it can be fetched again"
    reset(whole)  # of which nobody knows that it has arrived


def test_what_only_the_other_side_could_tell_apart_can_be_fetched_again(place: Place) -> None:
    """All of it came, and the other side says that it is done, having read a part: nothing in TCP tells that."""
    for _ in range(TIMES):
        is_half_closed_later(place.connected(place.small[1]))
        whole = place.connected(place.small[1])
        assert read(whole) == SMALL
        reset(whole)


# --- what arrives ---------------------------------------------------------------------------------------------------


def read(connection: socket.socket, missing: int = 0, pause: float = 0.0) -> bytes:
    """The body of an answer, but for so many bytes."""
    head = b""
    while b"\r\n\r\n" not in head:
        head += connection.recv(1)
    length = next(int(n.split(b":")[1]) for n in head.lower().split(b"\r\n") if n.startswith(b"content-length"))
    body = b""
    while len(body) < length - missing and (piece := connection.recv(min(65536, length - missing - len(body)))):
        body += piece
        time.sleep(pause)
    return body


def asks_the_next(place: Place, ruling: str) -> socket.socket:
    connection = place.connected(ruling)
    assert read(connection) == SMALL
    connection.sendall(b"GET /v1/live HTTP/1.1\r\nHost: a\r\n\r\n")
    assert b"alive" in read(connection)
    return connection


def closes(place: Place, ruling: str) -> None:
    connection = place.connected(ruling)
    assert read(connection) == SMALL
    connection.close()


def says_that_it_will_close(place: Place, ruling: str) -> None:
    connection = place.connected(ruling, "Connection: close\r\n")
    assert read(connection) == SMALL
    connection.close()


def reads_to_the_end(place: Place, ruling: str) -> None:
    """As HTTP/1.0 had it: the end of the connection is that of the answer."""
    connection, began = place.connected(ruling, version="1.0"), time.monotonic()
    assert b"".join(iter(lambda: connection.recv(65536), b"")).endswith(SMALL)
    assert time.monotonic() - began < 3, "who waits for the service to close is not kept waiting"
    connection.close()


def reads_slowly(place: Place, ruling: str) -> None:
    connection = place.connected(ruling)
    assert read(connection, pause=0.01) == SMALL
    connection.close()


def asks_twice_at_once(place: Place, ruling: str) -> None:
    connection = place.connected(ruling)
    connection.sendall(place.asked(ruling))
    assert read(connection) == read(connection) == SMALL
    connection.close()


def stays_silent(place: Place, ruling: str) -> socket.socket:
    """It keeps the connection for later, as pools of connections do."""
    connection = place.connected(ruling)
    assert read(connection) == SMALL
    return connection


GOOD = [
    asks_the_next,
    closes,
    says_that_it_will_close,
    reads_to_the_end,
    reads_slowly,
    asks_twice_at_once,
    stays_silent,
]


@pytest.mark.parametrize("reads", GOOD, ids=[how.__name__ for how in GOOD])
def test_what_has_arrived_is_delivered(place: Place, reads: Callable[[Place, str], socket.socket | None]) -> None:
    if reads is reads_to_the_end and place.trust is not None:
        pytest.skip("TLS is not closed on one side")
    number = GOOD.index(reads)
    rulings = place.small[
        TIMES * number + 2 * (number == 0) : TIMES * (number + 1)
    ]  # the first two are for what breaks
    kept = [reads(place, ruling) for ruling in rulings]
    late = time.monotonic() + 15
    while not all(place.delivered(ruling) for ruling in rulings):
        assert time.monotonic() < late
        time.sleep(0.2)
    for connection in kept:
        if connection is not None:
            connection.close()
    assert not place.delivered(place.small[0])
