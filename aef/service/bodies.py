"""Rulings out of requests: Base64 in JSON, and files of forms, which never touch a disk on their way."""

from __future__ import annotations

import binascii
import sys
from base64 import b64decode
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field, ValidationError
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request

from aef.service.answers import Problem, invalid
from aef.service.options import FORMATS, MEDIA_TYPES, Choices, described_as, format_of, one_of
from aef.workers.settings import BATCH, INTERACTIVE

_FIELD = 1000  # bytes of a field that is no file
_KIND = "of the document; without it, the suffix of the name says so"
NAME = r"^[A-Za-z0-9_.@-][A-Za-z0-9_ .@-]{0,62}$"
"""Of a client."""
PRIORITIES = {"batch": BATCH, "interactive": INTERACTIVE}


_SUFFIXED = r"\.([dD][oO][cC][xX]|[hH][tT][mM][lL]?|[tT][xX][tT])$"
Kind = Annotated[
    str,
    AfterValidator(one_of(list(FORMATS))),
    Field(description=_KIND, json_schema_extra=described_as(enum=list(FORMATS))),
]


class Document(Choices):
    """A ruling in Base64, and how it is anonymized."""

    model_config = ConfigDict(
        json_schema_extra={
            "anyOf": [{"required": ["type"]}, {"required": ["name"], "properties": {"name": {"pattern": _SUFFIXED}}}],
            "examples": [{"document": "TXIuIEpvaG4gTWlsbGFyIGFwcGVhbHMuCg==", "type": "txt", "scheme": "letters"}],
        }
    )
    document: Annotated[
        str,
        Field(
            min_length=4,
            description="the file, in Base64",
            json_schema_extra={"format": "byte", "contentEncoding": "base64"},
        ),
    ]
    type: Kind = ""
    name: Annotated[
        str,
        Field(
            max_length=300,
            description="the file's name, of which only the suffix is looked at",
            json_schema_extra=described_as(),
        ),
    ] = ""

    def content(self, most: int) -> tuple[bytes, str]:
        """The file and its format. Raises `Problem`."""
        try:
            content = b64decode("".join(self.document.split()), validate=True)
        except (binascii.Error, ValueError) as error:
            raise Problem(422, "not_base64", "document: is not Base64. Encode the file: base64 -w0 FILE") from error
        return checked(content, most), format_of(self.type, self.name)


class Fields(Choices):
    """The fields of a form, beside its file."""

    type: Kind = ""
    priority: Annotated[
        Literal["batch", "interactive"], Field(description="interactive: first; wants the right `urgent`")
    ] = "batch"
    reviewer: Annotated[
        str,
        Field(
            pattern=NAME,
            description="the client that goes through the ruling on the editor's page, before it is done",
            json_schema_extra=described_as(),
        ),
    ] = ""


def checked(content: bytes, most: int) -> bytes:
    """Raises `Problem` for an empty file and one that is too large."""
    if not content:
        raise Problem(422, "empty", "The file is empty")
    if len(content) > most:
        raise too_large(most)
    return content


def too_large(most: int) -> Problem:
    return Problem(413, "too_large", f"A ruling may have {most / 1e6:g} MB here. Take large pictures out of it")


class _InMemory(MultiPartParser):
    spool_max_size = sys.maxsize  # never a temporary file on a disk; the size of a request is limited before


async def form(request: Request, most: int) -> tuple[bytes, str, Fields]:
    """The file of a form, its format, and its fields. Raises `Problem`."""
    if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        raise Problem(415, "no_form", "Send a form with a file: curl -F file=@ruling.docx")
    try:
        sent = await _InMemory(
            request.headers, request.stream(), max_files=2, max_fields=20, max_part_size=_FIELD
        ).parse()
    except (MultiPartException, UnicodeDecodeError, KeyError, ValueError) as error:
        raise Problem(400, "bad_form", "The form cannot be read. Send one file and short fields") from error
    try:
        return await _form(dict(sent.multi_items()), len(sent.multi_items()), most)
    finally:
        await sent.close()


async def _form(sent: dict[str, Any], number: int, most: int) -> tuple[bytes, str, Fields]:
    if number > len(sent):
        raise Problem(422, "twice", "A field comes twice. Send one ruling at a time")
    file = sent.pop("file", None)
    if not isinstance(file, UploadFile):
        raise Problem(422, "no_file", "file: is missing. Send a form with a file: curl -F file=@ruling.docx")
    if any(isinstance(value, UploadFile) for value in sent.values()):
        raise Problem(422, "no_file", "Only file may be a file. Send one ruling at a time")
    try:
        fields = Fields.model_validate(sent, strict=False)
    except ValidationError as error:
        raise invalid(error.errors(), [*Fields.model_fields, "file"]) from None
    kind = format_of(fields.type, file.filename or "", file.content_type or "")
    return checked(await file.read(), most), kind, fields


def form_shape() -> dict[str, Any]:
    """The OpenAPI description of the form."""
    schema = Fields.model_json_schema()
    said = f"the ruling; its suffix says what it is, or type does ({', '.join(MEDIA_TYPES)})"
    file = {"type": "string", "format": "binary", "minLength": 1, "description": said}
    properties = {"file": file, **schema["properties"]}
    shape = {"type": "object", "properties": properties, "required": ["file"], "additionalProperties": False}
    return {
        "requestBody": {
            "required": True,
            "content": {
                "multipart/form-data": {
                    "schema": shape,
                    "encoding": {"file": {"contentType": ", ".join(MEDIA_TYPES.values())}},
                }
            },
        }
    }
