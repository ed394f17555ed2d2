"""Pipelines: annotators put together by voting, correction, unification and an overlap policy; see `pipeline`."""

from __future__ import annotations

from aef.pipelines.pipeline import Pipeline, find, load, ready

__all__ = ["Pipeline", "find", "load", "ready"]
