"""Features: what a token shows. One feature is one small decorated function; see `aef.features.registry`."""

from aef.features import compound, context, dictionary, orthographic
from aef.features.extraction import Column, Extractor
from aef.features.registry import REGISTRY, SETS, Feature, feature, feature_names, resolve

__all__ = [
    "REGISTRY",
    "SETS",
    "Column",
    "Extractor",
    "Feature",
    "compound",
    "context",
    "dictionary",
    "feature",
    "feature_names",
    "orthographic",
    "resolve",
]
