"""Workers: this process, processes of this machine (joblib's loky), or a Dask cluster; all take units as futures."""

from __future__ import annotations

import logging
import os
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

from aef.batch.state import Outcome
from aef.batch.store import must_reach
from aef.batch.work import Setting, Unit, do_unit
from aef.errors import InputError

ANSWER = 10.0
"""Seconds in which a Dask scheduler must answer."""


class Work(Protocol):
    """A unit under way."""

    def result(self) -> list[Outcome]: ...

    def add_done_callback(self, fn: Callable[[Any], object]) -> object: ...


class Pool(Protocol):
    """Workers. ``window``: how many units are given to them at a time, so that none is idle."""

    @property
    def window(self) -> int: ...

    def submit(self, setting: Setting, unit: Unit) -> Work: ...

    def lost(self, error: BaseException) -> bool:
        """Whether the error says that a worker died, and not that the work is wrong. What is broken is mended."""
        ...

    def alive(self) -> None:
        """Called when nothing came back for long; raises `InputError` where there are no workers any more."""
        ...


class Here:
    """No workers: the work is done as it is given."""

    window = 1

    def submit(self, setting: Setting, unit: Unit) -> Work:
        future: Future[list[Outcome]] = Future()
        try:
            future.set_result(do_unit(setting, unit))
        except Exception as error:
            future.set_exception(error)
        return future

    def lost(self, error: BaseException) -> bool:
        return False

    def alive(self) -> None:
        return None


class Processes:
    """Processes of this machine. One that dies takes down all: they are started anew."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self.window = 2 * jobs
        self.executor: Any = None

    def submit(self, setting: Setting, unit: Unit) -> Work:
        from joblib.externals.loky import get_reusable_executor

        one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        self.executor = get_reusable_executor(  # a new one in the place of a broken one
            self.jobs, timeout=600, env=one_thread, initializer=_end_with, initargs=(os.getpid(),)
        )
        work: Work = self.executor.submit(do_unit, setting, unit)
        return work

    def lost(self, error: BaseException) -> bool:
        from concurrent.futures.process import BrokenProcessPool

        return isinstance(error, BrokenProcessPool)

    def alive(self) -> None:
        return None

    def stop(self) -> None:
        if self.executor is not None:
            self.executor.shutdown(wait=True, kill_workers=True)


def _end_with(parent: int) -> None:
    """Have this process end as soon as its parent is gone, whatever it is doing; nothing is lost by that."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    if os.name == "posix":  # elsewhere a process keeps its parent's number
        threading.Thread(target=watch, daemon=True).start()


@contextmanager
def processes(jobs: int) -> Iterator[Processes]:
    """So many processes. Raises `InputError` for none."""
    if jobs < 1:
        raise InputError(f"--jobs {jobs}: at least one is needed")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "A worker stopped while some jobs")
        pool = Processes(jobs)
        try:
            yield pool
        finally:
            pool.stop()


class Cluster:
    """The workers of a Dask scheduler; they come and go as they like."""

    def __init__(self, client: Any) -> None:
        self.client = client

    @property
    def window(self) -> int:
        return max(8, 4 * self._threads())

    def _threads(self) -> int:
        """How many threads its workers have; raises `InputError` where the scheduler is gone."""
        with suppress(OSError, TimeoutError):
            if self.client.status == "running":
                threads: int = sum(self.client.nthreads().values())
                return threads
        raise _gone()

    def submit(self, setting: Setting, unit: Unit) -> Work:
        if self.client.status != "running":
            raise _gone()
        work: Work = self.client.submit(do_unit, setting, unit, pure=False, retries=0)
        return work

    def lost(self, error: BaseException) -> bool:
        from distributed import CancelledError
        from distributed.client import FutureCancelledError
        from distributed.comm import CommClosedError
        from distributed.scheduler import KilledWorker

        return isinstance(error, (KilledWorker, CancelledError, FutureCancelledError, CommClosedError))

    def alive(self) -> None:
        if not self._threads():
            raise _gone()


def _gone() -> InputError:
    return InputError(
        "the Dask cluster lost its scheduler or all workers. Start others, and run the same again: it goes on"
    )


@contextmanager
def cluster(address: str, folder: str | Path, store: str | None = None) -> Iterator[Cluster]:
    """The workers of the scheduler at ``address``, who must see the folder of the rulings at the same path, or
    reach the store that they are in.

    Raises `InputError` where Dask is not installed, nobody answers, or a worker does not see the folder.
    """
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what of it matters is said here
    try:
        from distributed import Client
    except ImportError as error:
        raise InputError("--dask needs the package distributed: install aef-anonymizer[dask]") from error
    try:
        client = Client(address, timeout=ANSWER, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise InputError(f"no Dask scheduler answers at {address}. Start one, or leave --dask out") from error
    with client:
        try:
            client.wait_for_workers(1, timeout=20)
        except TimeoutError as error:
            raise InputError(f"the Dask scheduler at {address} has no workers. Start some") from error
        if store is not None:
            if why := next(filter(None, client.run(must_reach, store).values()), ""):
                raise InputError(f"a worker: {why}")
            yield Cluster(client)
            return
        blind = [worker for worker, sees in client.run(_sees, str(Path(folder).resolve())).items() if not sees]
        if blind:
            raise InputError(f"the worker {blind[0]} does not see {folder}: Dask's workers must share the folders")
        yield Cluster(client)


def _sees(folder: str) -> bool:
    return Path(folder).is_dir()
