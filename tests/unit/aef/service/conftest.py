"""A service over real connections for the tests of this folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("fastapi")

from serving import Serving
from serving import serving as a_service

from aef.benchmarks.postgres import NotInstalled, postgres


@pytest.fixture(params=["sqlite", "postgres"])
def queue(request: pytest.FixtureRequest) -> Iterator[str | None]:
    """The URL of an empty queue; None: that of the data folder."""
    if request.param == "sqlite":
        yield None
        return
    try:
        with postgres() as url:
            yield url
    except NotInstalled as missing:
        pytest.skip(str(missing))


@pytest.fixture
def serving(tmp_path: Path) -> Callable[..., AbstractContextManager[Serving]]:
    """``serving(limit=value ...)``: a service as long as it is needed."""
    return partial(a_service, tmp_path / "data")
