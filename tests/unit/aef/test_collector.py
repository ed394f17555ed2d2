"""The collector of cyclic garbage is paused for a while and never left so."""

from __future__ import annotations

import gc

import pytest

from aef.collector import collector_paused


def test_it_runs_again_afterwards_whatever_happened() -> None:
    with pytest.raises(RuntimeError), collector_paused():
        assert not gc.isenabled()
        raise RuntimeError
    assert gc.isenabled()


def test_who_had_paused_it_before_finds_it_paused() -> None:
    with collector_paused():
        with collector_paused():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()
