"""The service started and stopped: queue, workers and HTTP in one process."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType
from typing import IO, TYPE_CHECKING

import uvicorn
from fastapi import FastAPI

import aef
from aef.errors import InputError
from aef.service.app import application
from aef.service.connections import Connection, Doors
from aef.service.desk import Desk
from aef.service.guard import Guard
from aef.service.keys import KeyRing
from aef.service.oidc.login import Logins
from aef.service.private import must_be_private
from aef.service.review.entry import Entry
from aef.service.review.reviewer import Office, Reviewer
from aef.workers.audit import Audit, fingerprint
from aef.workers.database import Database
from aef.workers.logs import Log, opened
from aef.workers.metrics import Metrics
from aef.workers.pool import Pool
from aef.workers.queue import Queue
from aef.workers.reviews import Finished, Reviews
from aef.workers.settings import Settings
from aef.workers.states import DONE
from aef.workers.vault import Vault
from aef.workers.waiting import Waiters
from aef.workers.watch import Watch
from aef.workers.worker import dump_no_core

if TYPE_CHECKING:
    from aef.service.operation.tracing import Traces


@dataclass
class Service:
    """A service that is set up: its application, and what is behind it."""

    app: Guard
    desk: Desk
    office: Office
    pool: Pool
    log: Log


@contextmanager
def service(settings: Settings) -> Iterator[Service]:
    """Set up a service, its workers not yet started. Raises `InputError` for settings that cannot be."""
    must_be_safe(settings)
    _make_folder(settings.data)
    for path in (settings.data, settings.data / "queue.key", settings.key_file, settings.private_key):
        if path is not None:
            must_be_private(path)
    with ExitStack() as stack:
        stack.enter_context(alone(settings.data))
        log, metrics, waiters = opened(settings.log), Metrics(), Waiters()
        if (traces := traces_of(settings)) is not None:
            log.listeners.append(traces)
            stack.callback(traces.close)
        database = Database(settings.url)
        stack.callback(database.close)
        vault = Vault.load(settings.data, settings.key_file)
        queue = Queue(database, vault, settings.limits)
        versions = {"aef": aef.__version__, "recipe": settings.recipe.fingerprint()[:16]}
        audit = Audit(settings.audit, versions)
        pool = Pool(queue, settings, log, metrics, waiters, audit)
        pool.make_room()
        metrics.watch(queue.counts, queue.oldest, pool.ready)
        watch = Watch(queue, settings)
        watch.start()
        stack.callback(watch.stop)
        reviews = Reviews(database, vault, settings.limits)
        desk = Desk(
            settings,
            queue,
            reviews,
            audit,
            metrics,
            pool.bell,
            waiters,
            pool.ready,
            pool.failing,
            watch,
            versions=versions,
        )
        keys = KeyRing(settings.keys, settings.used) if settings.auth else None
        must_be_private(settings.keys)
        entry, reviewer = Entry(keys, settings, _logins(settings)), Reviewer(settings)
        stack.callback(reviewer.stop)
        office = Office(reviews, reviewer, partial(_reviewed, desk))
        app = application(desk, entry, office)
        app.router.lifespan_context = _life(pool, desk)
        yield Service(Guard(app, keys, settings.limits, log, metrics, entry, audit), desk, office, pool, log)


def traces_of(settings: Settings) -> Traces | None:
    """Raises `InputError`."""
    if settings.traces is None:
        return None
    try:
        from aef.service.operation.tracing import Traces
    except ModuleNotFoundError as error:
        raise _without(error, "traces", "tracing") from error
    return Traces(settings.traces)


def _logins(settings: Settings) -> Logins | None:
    """Raises `InputError`."""
    if settings.sign_in is None:
        return None
    try:
        from aef.service.oidc.provider import Provider
    except ModuleNotFoundError as error:
        raise without_oidc(error) from error
    return Logins(Provider(settings.sign_in))


def without_oidc(error: ModuleNotFoundError) -> InputError:
    return _without(error, "log-in by OpenID Connect", "oidc")


def _without(error: ModuleNotFoundError, what: str, extra: str) -> InputError:
    return InputError(f"{what} needs the package '{error.name}'. Install it: pip install 'aef-anonymizer[{extra}]'")


def _reviewed(desk: Desk, reviewer: str, ruling: str, made: Finished) -> None:
    """What else is done once a ruling is reviewed."""
    desk.waiters.ended(ruling)
    desk.metrics.ended.labels(DONE).inc()
    desk.audit.write("reviewed", ruling, output=fingerprint(made.result))


def serve(settings: Settings, started: Callable[[str], None] = lambda _: None) -> None:
    """Run until SIGTERM or SIGINT; ``started`` is told the address once requests are answered.

    Raises `InputError` for settings that cannot be, and an address that is taken.
    """
    dump_no_core()
    with _for_the_owner_alone(), service(settings) as made:
        made.log.take_over()
        try:
            Server(made, started).run()
        except SystemExit as error:  # uvicorn's way to say that the address is taken
            raise InputError(
                f"{settings.host}:{settings.port} cannot be listened to: is it taken? Choose another --port"
            ) from error
        made.log.event("stopped")


class Server(uvicorn.Server):
    """Stops taking rulings in and handing them to workers at the first signal, and says where it listens."""

    def __init__(self, made: Service, started: Callable[[str], None] = lambda _: None) -> None:
        settings = made.desk.settings
        self._doors = Doors(settings.limits)
        self._made, self._told = made, started
        config = uvicorn.Config(
            made.app,
            host=settings.host,
            port=settings.port,
            loop="asyncio",
            http=partial(Connection, self._doors),  # type: ignore[arg-type]
            ws="none",
            access_log=False,
            log_config=None,
            server_header=False,
            proxy_headers=bool(settings.proxies),
            forwarded_allow_ips=list(settings.proxies),
            timeout_graceful_shutdown=round(settings.limits.grace + 10),
            ssl_certfile=settings.certificate,
            ssl_keyfile=settings.private_key,
        )
        super().__init__(config)

    async def startup(self, sockets: list[IO[bytes]] | None = None) -> None:  # type: ignore[override]
        await super().startup(sockets)  # type: ignore[arg-type]
        if self.started:
            port = self.servers[0].sockets[0].getsockname()[1]
            scheme = "https" if self.config.ssl_certfile else "http"
            host = f"[{self.config.host}]" if ":" in self.config.host else self.config.host
            self._made.log.event("started", port=port, workers=self._made.desk.settings.workers)
            self._told(f"{scheme}://{host}:{port}")

    async def on_tick(self, counter: int) -> bool:
        if counter % 5 == 0:
            self._doors.sweep(asyncio.get_running_loop().time())
        return await super().on_tick(counter)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._made.desk.stopping.set()
        self._made.pool.stopping.set()
        self.force_exit = self.should_exit and sig == signal.SIGINT  # asked twice: what is begun is given back
        self.should_exit = True


def _life(pool: Pool, desk: Desk) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        pool.start()
        yield
        desk.stopping.set()
        await asyncio.to_thread(pool.stop)

    return life


def must_be_safe(settings: Settings) -> None:
    """Raise `InputError` for a service without keys that others can reach."""
    if not settings.auth and not is_loopback(settings.host):
        raise InputError(f"--no-auth goes with this computer's own address alone, not with {settings.host}")
    if (settings.certificate is None) != (settings.private_key is None):
        raise InputError("a certificate and its private key go together. Give both")


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return False


@contextmanager
def _for_the_owner_alone() -> Iterator[None]:
    """What is written is nobody else's."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise InputError.at(path, f"cannot be made ({error.strerror})", remedy="Name another --data") from error


@contextmanager
def alone(data: Path) -> Iterator[None]:
    """Raise `InputError` where another service has this data folder."""
    import fcntl

    with (data / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise InputError.at(data, "is another service's data folder, which runs now") from error
        yield
