"""What a request may choose."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from aef.batch.recipe import Recipe
from aef.service.answers import Problem
from aef.service.bodies import Fields
from aef.service.options import MEDIA_TYPES, Choices, format_of
from aef.workers.worker import PIPELINES, recipe_of


@pytest.mark.parametrize(
    ("given", "format", "why"),
    [
        (("docx", "a.txt"), "docx", "what is declared goes first"),
        (("", "Ruling 7.DOCX"), "docx", "a suffix in capitals"),
        (("htm",), "html", "the short form"),
        (("", "../../etc/passwd.txt"), "txt", "of a path, the suffix counts and nothing else"),
        (("", "ruling", "text/html; charset=utf-8"), "html", "the media type, where nothing else says it"),
        (("", "a.png", MEDIA_TYPES["docx"]), "docx", "the same, beside a suffix that is none"),
        (("", "a.txt", "application/octet-stream"), "txt", "what curl sends"),
    ],
)
def test_formats(given: tuple[str, ...], format: str, why: str) -> None:
    assert format_of(*given) == format, why


@pytest.mark.parametrize(
    "given", [("",), ("", "a"), ("", "a.pdf"), ("", "a.txt\n"), ("", ".txt/x"), ("", "", "image/png")]
)
def test_what_has_no_format_is_refused(given: tuple[str, ...]) -> None:
    with pytest.raises(Problem) as refused:
        format_of(*given)
    assert refused.value.status == 415


@pytest.mark.parametrize(
    "wrong",
    [
        {"scheme": ""},
        {"scheme": "Initials"},
        {"scheme": None},
        {"policy": "../lexum"},
        {"pipeline": "court-en:STEP"},
        {"pipeline": "patterns:common"},
        {"language": "en-all"},
        {"model": "en-all"},
        {"include": ["x"]},
        {"seed": "1"},
        {"seed": True},
        {"seed": 1.5},
        {"seed": 2**31},
    ],
    ids=str,
)
def test_what_is_not_ready_cannot_be_chosen(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Choices.model_validate(wrong)


@pytest.mark.parametrize("language", PIPELINES)
def test_whatever_can_be_chosen_is_a_recipe_that_loads(language: str) -> None:
    schema = Choices.model_json_schema()["properties"]
    for name in ("scheme", "policy", "pipeline"):
        for value in schema[name]["enum"]:
            chosen = Choices.model_validate({name: value, "language": language, "seed": 7.0}).chosen()
            recipe_of(Recipe(), chosen).check()
    assert recipe_of(Recipe(), {"language": language}).load().tagger is not None


def test_a_form_s_fields_are_words() -> None:
    fields = Fields.model_validate({"seed": "12", "priority": "interactive"}, strict=False)
    assert fields.chosen() == {"seed": 12} and fields.priority == "interactive"
