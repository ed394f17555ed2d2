"""A service over real connections for the tests of this folder."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("fastapi")

from serving import Serving
from serving import serving as a_service


@pytest.fixture
def serving(tmp_path: Path) -> Callable[..., AbstractContextManager[Serving]]:
    """``serving(limit=value ...)``: a service as long as it is needed."""
    return partial(a_service, tmp_path / "data")
