"""Whatever finds mentions, alone or together: each comes with its type, its probability and who found it.

An annotator has one method, ``tag(document) -> Document``. The mentions say in ``extra["by"]`` which annotators found
them. There are four kinds: models (``maxent``), ``nome``, ``patterns`` and ``gazetteer``, and those that are registered
with `annotator_kind`; `annotator` makes each by name, and `aef.annotators.pipeline` puts several together.
"""

from __future__ import annotations

from aef.annotators.kinds import Annotator, Signed, annotator, annotator_kind

__all__ = ["Annotator", "Signed", "annotator", "annotator_kind"]
