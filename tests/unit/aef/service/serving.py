"""A service over real connections, without workers: the test does their part by hand."""

from __future__ import annotations

import socket
import ssl
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx

from aef.service import keys
from aef.service.server import Server, Service, service
from aef.workers.settings import Limits, Settings


@dataclass
class Serving:
    """A service that answers. ``made`` : what is behind it; ``key`` : of the client "registry", with all rights."""

    made: Service
    port: int
    key: str

    def client(self, **values: Any) -> httpx.Client:
        header = {"Authorization": f"Bearer {self.key}"}
        return httpx.Client(base_url=f"http://127.0.0.1:{self.port}", headers=header, timeout=20, **values)

    def connected(self, sends: bytes = b"") -> socket.socket:
        """A connection of its own, on which something was sent."""
        made = socket.create_connection(("127.0.0.1", self.port), timeout=20)
        made.sendall(sends)
        return made

    def asks(self, path: str, method: str = "GET", more: str = "") -> bytes:
        """A request with the key, as it goes over the wire."""
        return f"{method} {path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {self.key}\r\n{more}\r\n".encode()

    def done(self, result: bytes) -> str:
        """The id of a ruling with this result."""
        with self.client() as client:
            ruling: str = client.post("/v1/rulings", files={"file": ("a.txt", b"Mr. Hale appeals.")}).json()["id"]
        self.finish(result)
        return ruling

    def finish(self, result: bytes) -> None:
        """What a worker does with the next ruling."""
        job = self.made.desk.queue.claim()
        assert job is not None and self.made.desk.queue.finish(job, result, {})
        self.made.desk.waiters.ended(job.id)


def reset(connection: socket.socket) -> None:
    """Break a connection off, as a client that dies does."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


@contextmanager
def serving(data: Path, queue: str | None = None, **limits: Any) -> Iterator[Serving]:
    """A service as long as it is needed."""
    with serving_with(Settings(data, queue, port=0, limits=Limits(**limits), log=data.with_name("log"))) as made:
        yield made


@contextmanager
def serving_with(settings: Settings) -> Iterator[Serving]:
    """The same, with settings of its own."""
    with service(settings) as made:
        key, ready = keys.add(settings.keys, "registry"), threading.Event()
        server = Server(made, lambda _: ready.set())
        server.config.lifespan = "off"
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        assert ready.wait(20)
        try:
            yield Serving(made, server.servers[0].sockets[0].getsockname()[1], key)
        finally:
            server.should_exit = server.force_exit = True
            thread.join(20)


def certified(folder: Path) -> ssl.SSLContext:
    """A certificate of one's own in ``c.pem`` and its key in ``k.pem``; what trusts it."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([])
    begin = datetime.now(UTC) - timedelta(days=1)
    names = x509.SubjectAlternativeName([x509.DNSName("localhost")])
    unsigned = x509.CertificateBuilder(name, name, key.public_key(), 7, begin, begin + timedelta(days=9))
    pem = unsigned.add_extension(names, False).sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    (folder / "c.pem").write_bytes(pem)
    plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "k.pem").write_bytes(key.private_bytes(serialization.Encoding.PEM, *plain))
    (folder / "k.pem").chmod(0o600)
    context = ssl.create_default_context(cadata=pem.decode())
    context.check_hostname = False
    return context
