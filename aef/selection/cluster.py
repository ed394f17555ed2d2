"""Candidates evaluated on an existing Dask cluster. Needs the extra ``dask`` (distributed)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from aef.errors import InputError

if TYPE_CHECKING:
    from aef.selection.criterion import Criterion, Score

Pool = Callable[[Iterable[Any]], Iterable["Score"]]


@contextmanager
def dask_pool(address: str, criterion: Criterion) -> Iterator[Pool]:
    """A pool of tasks on the scheduler at ``address``; the corpus is sent to each worker once.

    A worker that dies costs time: its tasks are run again by another. Raises `InputError` where Dask is not
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
        yield lambda tasks: _run(client, held, list(tasks))


def _run(client: Any, held: dict[int, Any], tasks: list[Any]) -> list[Score]:
    """The tasks' results in order. ``held``: what has been sent to the workers, by the identity of the object."""
    from distributed import CancelledError
    from distributed.client import FutureCancelledError
    from distributed.scheduler import KilledWorker

    lost = (KilledWorker, CancelledError, FutureCancelledError, OSError)
    results: dict[int, Score] = {}
    for _ in range(_TRIES):
        with suppress(*lost):
            futures = {i: _submit(client, held, task) for i, task in enumerate(tasks) if i not in results}
            for i, future in futures.items():
                with suppress(*lost):
                    results[i] = future.result()
        if len(results) == len(tasks):
            return [results[i] for i in range(len(tasks))]
        held.clear()  # a worker died with its copies: send everything again, to those that are left
        time.sleep(1)
    raise InputError("the Dask cluster lost its workers again and again: start others, and resume from --state")


def _submit(client: Any, held: dict[int, Any], task: Any) -> Any:
    function, arguments, _ = task
    return client.submit(function, *(_sent(client, held, a) for a in arguments), pure=False, retries=_TRIES)


def _sent(client: Any, held: dict[int, Any], argument: Any) -> Any:
    if argument is None or isinstance(argument, tuple):
        return argument
    if id(argument) not in held:
        held[id(argument)] = argument, client.scatter(argument, broadcast=True, hash=False)
    return held[id(argument)][1]


_TRIES = 5
