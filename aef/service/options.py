"""What a request may choose: names of what is ready on the service, never a path."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from aef.annotators.pipeline import ready
from aef.replacement.schemes import SCHEMES
from aef.roles.policy import policies
from aef.service.answers import Problem
from aef.workers.worker import PIPELINES

FORMATS = {"docx": "docx", "html": "html", "htm": "html", "txt": "txt"}
"""By suffix, or by what a request calls them."""
MEDIA_TYPES = {
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "html": "text/html",
    "txt": "text/plain",
}


def one_of(names: list[str]) -> Callable[[str], str]:
    def check(value: str) -> str:
        if value not in names:
            raise PydanticCustomError("unknown_name", "{text}", {"text": f"there are {', '.join(names)}"})
        return value

    return check


def described_as(**values: Any) -> Callable[[dict[str, Any]], None]:
    """What the description of a field is, where what stands for "not chosen" is nobody's business."""

    def described(schema: dict[str, Any]) -> None:
        schema.pop("default", None)
        schema.update(values)

    return described


def _whole(value: Any) -> Any:
    """JSON's 7.0 is a whole number, too."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


_LANGUAGE = "of the ruling: takes the ready pipeline for it; a pipeline that is named goes before it"
_SCHEMES, _POLICIES, _PIPELINES = sorted(SCHEMES), policies(), sorted(ready())
_LANGUAGES = sorted(PIPELINES)


class Choices(BaseModel):
    """How the ruling is anonymized, where it is not to be as the service does it by default."""

    model_config = ConfigDict(extra="forbid", strict=True)
    scheme: Annotated[
        str,
        AfterValidator(one_of(_SCHEMES)),
        Field(description="what stands in the place of a name", json_schema_extra=described_as(enum=_SCHEMES)),
    ] = ""
    policy: Annotated[
        str,
        AfterValidator(one_of(_POLICIES)),
        Field(description="who is hidden, by role", json_schema_extra=described_as(enum=_POLICIES)),
    ] = ""
    language: Annotated[
        str,
        AfterValidator(one_of(_LANGUAGES)),
        Field(description=_LANGUAGE, json_schema_extra=described_as(enum=_LANGUAGES)),
    ] = ""
    pipeline: Annotated[
        str,
        AfterValidator(one_of(_PIPELINES)),
        Field(description="a ready pipeline, in place of a model", json_schema_extra=described_as(enum=_PIPELINES)),
    ] = ""
    seed: Annotated[
        int,
        Field(ge=0, lt=2**31, description="of what a scheme draws at random", json_schema_extra=described_as()),
        BeforeValidator(_whole),
    ] = -1

    def chosen(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in Choices.model_fields if name in self.model_fields_set}


def format_of(kind: str, name: str = "", media_type: str = "") -> str:
    """The format of a ruling: as declared, else by the suffix of its name, of which nothing else is looked at, else by
    its media type. Raises `Problem`."""
    by_type = {media: word for word, media in MEDIA_TYPES.items()}
    named = (kind, name.rpartition(".")[2].lower(), by_type.get(media_type.partition(";")[0].strip().lower(), ""))
    found = next((FORMATS[word] for word in named if word in FORMATS), None)
    if found is None:
        detail = "The format is not known. Send DOCX, HTML or TXT, and say so: type=docx, or a name with its suffix"
        raise Problem(415, "unsupported_format", detail)
    return found
