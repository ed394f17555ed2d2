"""What the operator of the service sets."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from aef.batch.recipe import Recipe

BATCH, INTERACTIVE = 0, 10
"""Priorities: the greater goes first."""

QUEUE = "AEF_QUEUE"
"""The environment variable that may hold the URL of the queue."""

SEALING = "AEF_QUEUE_KEY"
"""The environment variable that may hold the key that seals rulings."""


def environment_without_keys() -> dict[str, str]:
    """What a worker may know of the environment: no key, and no setting, of which a URL may have a password."""
    secret = (SEALING, QUEUE, "AEF_PASSPHRASE")
    known = {k: v for k, v in os.environ.items() if k not in secret and not k.startswith("AEF_SERVE_")}
    return known | {"OMP_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Limits:
    """Times in seconds. size : bytes of a ruling. queued, per_client : rulings not yet done, of all and of one client.
    rate : rulings a minute that one client may hand in.

    time : of one ruling in a worker; memory : bytes that a worker may have. attempts : how many workers may die of a
    ruling; outages : how often else something may come between. wait : how long a request waits for its ruling, and
    answer : for the database. keep : how long a result waits to be fetched; again : how long it can be fetched again
    once it was delivered whole; review : how long a ruling waits for its editor's next answer; forget : how long its
    state is known after that. lease : how long a worker has a ruling without a sign of life. grace : how long a stop
    waits for what is begun. connections, per_address : how many there may be. header : how long a client may take for a
    request's header; stall : for a body, or to take an answer, beyond what a slow line needs. idle : how long a browser
    may ask nothing before it has to sign in anew. audit : how long the audit log is kept.
    """

    size: int = 20_000_000
    queued: int = 20_000
    per_client: int = 10_000
    rate: float = 6000.0
    time: float = 120.0
    memory: int = 2_000_000_000
    attempts: int = 3
    outages: int = 30
    wait: float = 120.0
    keep: float = 24 * 3600.0
    again: float = 300.0
    review: float = 30 * 24 * 3600.0
    idle: float = 3600.0
    audit: float = 10 * 365 * 24 * 3600.0
    forget: float = 7 * 24 * 3600.0
    lease: float = 15.0
    grace: float = 20.0
    answer: float = 5.0
    connections: int = 500
    per_address: int = 200
    header: float = 10.0
    stall: float = 20.0

    @property
    def body(self) -> int:
        """Bytes of a request: a ruling in Base64, and some room for the rest."""
        return self.size * 4 // 3 + 100_000


@dataclass(frozen=True)
class SignIn:
    """Log-in by OpenID Connect. issuer : of the provider, as it writes itself. client, secret : this service's id
    there, and the file of its secret (None: it has none). audience : of access tokens; None: none are taken. name : the
    claim that names who it is, for good; claim : the one that says what they may, by dots where it lies deeper. rights
    : by that claim's values. scope : what the provider is asked for.
    """

    issuer: str
    client: str
    secret: Path | None = None
    audience: str | None = None
    name: str = "sub"
    claim: str = "roles"
    rights: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    scope: str = "openid profile email"


@dataclass(frozen=True)
class Settings:
    """data : the folder of queue, keys and work. queue : a database's URL; None: SQLite in the data folder.

    workers : processes for everything; reserved : further ones for interactive rulings alone. recipe : how rulings are
    anonymized where a request does not say. key_file, keys_file : the sealing key, and the API keys. work : the folder
    in which workers put the ruling they are at. auth : whether a key is asked for. names : of this service in browsers,
    beside its address. proxies : whose word on who asks, and how, is believed. sign_in : beside API keys. traces :
    where a collector of OpenTelemetry takes spans.
    """

    data: Path
    queue: str | None = None
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = os.cpu_count() or 1
    reserved: int = 1
    recipe: Recipe = field(default_factory=Recipe)
    limits: Limits = field(default_factory=Limits)
    auth: bool = True
    names: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    key_file: Path | None = None
    keys_file: Path | None = None
    work: Path | None = None
    certificate: Path | None = None
    private_key: Path | None = None
    log: Path | None = None
    sign_in: SignIn | None = None
    traces: str | None = None

    @property
    def url(self) -> str:
        return self.queue or f"sqlite:///{self.data.resolve() / 'queue.sqlite'}"

    @property
    def keys(self) -> Path:
        return self.keys_file or self.data / "keys.json"

    @property
    def audit(self) -> Path:
        """The folder of the audit log."""
        return self.data / "audit"

    @property
    def used(self) -> Path:
        """When each API key was used last."""
        return self.data / "keys.used.json"

    @property
    def work_folder(self) -> Path:
        """A folder of this service alone, which it wipes: never one that was there for something else."""
        if self.work is None:
            return self.data / "work"
        own = hashlib.sha256(str(self.data.resolve()).encode()).hexdigest()[:16]
        return self.work / f"aef-work-{own}"
