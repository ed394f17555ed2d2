"""Parts of speech, where the user has the data of NLTK's English tagger: in no set but ``pos``."""

from __future__ import annotations

from functools import cache
from typing import Any

from aef.errors import InputError
from aef.features.registry import argument, feature
from aef.features.ruling import Ruling

RESOURCE = "averaged_perceptron_tagger_eng"
"""The data of NLTK's tagger, which trained Collins's averaged perceptron on the Penn Treebank's tags."""


@cache
def _tagger() -> Any:
    from nltk.tag import PerceptronTagger

    try:
        return PerceptronTagger(lang="eng")
    except LookupError:
        raise InputError(
            f"features of parts of speech: NLTK's data '{RESOURCE}' is not installed. "
            f"Get it with: python -m nltk.downloader {RESOURCE} (or leave these features out)"
        ) from None


@argument
def part_of_speech(document: Ruling) -> list[str]:
    """The Penn Treebank tag that NLTK's tagger gives each word of its sentence."""
    sentences = [document.words[low:high] for low, high in document.sentences]
    return [tag for sentence in sentences for _, tag in _tagger().tag(list(sentence))]


@feature(tags=["pos"])
def Pos(part_of_speech: str) -> str:
    """The word's part of speech (NLTK's tagger, data of its own).

    >>> Pos("NNP")
    'NNP'
    """
    return part_of_speech


@feature(tags=["pos"])
def PosAround(part_of_speech_before: str, part_of_speech: str, part_of_speech_after: str) -> str:
    """The parts of speech of the word before, the word and the one after.

    >>> PosAround("IN", "NNP", "VBD")
    'IN NNP VBD'
    """
    return f"{part_of_speech_before} {part_of_speech} {part_of_speech_after}"


@feature(tags=["pos"])
def PosShape(part_of_speech: str, shape: str) -> str:
    """The word's part of speech and its shape.

    >>> PosShape("NNP", "Xxx")
    'NNP Xxx'
    """
    return f"{part_of_speech} {shape}"
