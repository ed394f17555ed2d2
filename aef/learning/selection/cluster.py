"""Candidates evaluated on an existing Dask cluster. Needs the extra ``dask`` (distributed)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from aef.errors import InputError

if TYPE_CHECKING:
    from aef.learning.selection.pools import Pool
    from aef.learning.selection.score import Score


@contextmanager
def dask_pool(address: str, patience: float = 300) -> Iterator[Pool]:
    """A pool of tasks on the scheduler at ``address``; the corpus is sent once.

    A worker that dies costs time: its tasks are run again by another, at the latest when nothing has come back for
    ``patience`` seconds. Raises `InputError` where Dask is not
    installed, or no scheduler answers or it has no workers.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise InputError("--dask needs the package distributed: install aef-anonymizer[dask]") from error
    try:
        client = Client(address, timeout="10s", set_as_default=False)
        client.wait_for_workers(1, timeout=20)
    except (OSError, ValueError, TimeoutError) as error:
        raise InputError(
            f"no Dask scheduler with workers answers at {address}. Start one, or leave --dask out"
        ) from error
    with client:
        held: dict[int, Any] = {}
        yield lambda tasks: _run(client, held, list(tasks), patience)


def _run(client: Any, held: dict[int, Any], tasks: list[Any], patience: float) -> list[Score]:
    """The tasks' results in order. ``held``: what the tasks share, by identity, as futures of the cluster."""
    from distributed import CancelledError
    from distributed.client import FutureCancelledError
    from distributed.scheduler import KilledWorker

    lost = (KilledWorker, CancelledError, FutureCancelledError, OSError)  # a TimeoutError is an OSError
    results: dict[int, Score] = {}
    for _ in range(_TRIES):
        with suppress(*lost):
            futures = {i: _submit(client, held, task) for i, task in enumerate(tasks) if i not in results}
            for i, future in futures.items():
                results[i] = future.result(timeout=patience)
        if len(results) == len(tasks):
            return [results[i] for i in range(len(tasks))]
        held.clear()  # what died with a worker is sent again, to those that are left
        time.sleep(1)
    raise InputError("the Dask cluster lost its workers again and again: start others, and resume from --state")


def _submit(client: Any, held: dict[int, Any], task: Any) -> Any:
    function, arguments, _ = task
    return client.submit(function, *(_shared(client, held, a) for a in arguments), pure=False, retries=_TRIES)


def _shared(client: Any, held: dict[int, Any], argument: Any) -> Any:
    """A large argument as the result of a task, which the scheduler runs again where a worker dies with it."""
    if argument is None or isinstance(argument, tuple):
        return argument
    if id(argument) not in held:
        held[id(argument)] = argument, client.submit(_same, argument, pure=False, retries=_TRIES)
    return held[id(argument)][1]


def _same(value: Any) -> Any:
    return value


_TRIES = 5
