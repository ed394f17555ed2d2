"""Features: what a token shows. One feature is one small decorated function; see `aef.features.registry`."""

from aef.features import (
    arguments,
    compound,
    context,
    dictionary,
    head,
    headed,
    headings,
    names,
    orthographic,
    part_of_speech,
    patterns,
    runs,
    words,
)
from aef.features.extraction import Column, Extractor
from aef.features.registry import ARGUMENTS, REGISTRY, SETS, Feature, argument, feature, feature_names, resolve

__all__ = [
    "ARGUMENTS",
    "REGISTRY",
    "SETS",
    "Column",
    "Extractor",
    "Feature",
    "argument",
    "arguments",
    "compound",
    "context",
    "dictionary",
    "feature",
    "feature_names",
    "head",
    "headed",
    "headings",
    "names",
    "orthographic",
    "part_of_speech",
    "patterns",
    "resolve",
    "runs",
    "words",
]
