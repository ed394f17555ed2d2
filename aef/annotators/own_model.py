"""A user's model inside a ready pipeline: patterns, roles and policy stay, the model finds the names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aef.annotators.pipeline import DEFAULT, Pipeline, Step, load, ready

if TYPE_CHECKING:
    from aef.tagging.finder import Finder


def pipeline_with(finder: Finder | None) -> Pipeline:
    """The default pipeline; with a model in it, that of the model's language, or the model alone where there is none.

    What a model finds that has learned what is hidden (any target but ``names``) the pipeline's policy does not show.
    """
    if finder is None:
        return load(DEFAULT)
    name = f"court-{finder.language}"
    if name in ready():
        return load(name, finder=finder)
    step = Step("model", (), lambda document, _: finder.tag(document), lambda: iter(()), finder)
    return Pipeline(ready()[DEFAULT], "a model alone", finder.language, [step])
