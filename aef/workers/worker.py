"""A worker process: a ruling comes in over standard input, and goes out, anonymized, over standard output.

``python -m aef.workers.worker`` is for `aef.workers.pool` alone. A worker knows no key and no queue; it ends when the
service does. Of what goes wrong it tells the kind and the place in the program, never a word of the ruling.
"""

from __future__ import annotations

import gc
import io
import os
import re
import resource
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

from aef.annotators.pipeline import ready
from aef.batch.recipe import Anonymizer, Recipe
from aef.collector import collector_paused
from aef.errors import InputError
from aef.workers import frames
from aef.workers.states import MEMORY

UNREADABLE, NAMES_REMAIN, INTERNAL = "unreadable", "names_remain", "internal_error"
PIPELINES = {name.removeprefix("court-"): name for name in ready() if name.startswith("court-")}
"""The ready pipelines by language."""
_NOT_OF_TAGGER = ("policy", "scheme", "seed", "keep_initials", "include", "exclude")
_QUOTED = re.compile(r"['\"‘“].*['\"’”]", re.DOTALL)  # from the first sign to the last: there may be some within
_WARMING = """JUDGMENT OF 3 MAY 2004

Between: Mr. Adam Sample, Plaintiff, and Ms. Eve Sample, Defendant.

1. Mr. Sample was born on 1 January 1970 in Vancouver. He works for Sample Holdings Ltd.
"""
_MODELS = 4  # kept in memory
_DESCRIPTORS = Path("/proc/self/fd")
TOO_MUCH = "it takes more memory than a worker may have. Hand it in in parts, or raise --max-memory"


class Failure(Exception):
    """A ruling that cannot be done: a reason for programs, and a sentence for people."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason)
        self.reason, self.detail = reason, detail

    def told(self) -> dict[str, Any]:
        return {"reason": self.reason, "detail": self.detail}


def main() -> int:
    """Serve one service until it is gone."""
    incoming, outgoing = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    be_quiet()
    dump_no_core()
    settings, _ = frames.read(incoming)
    os.nice(settings["nice"])
    limit_memory(settings["memory"])
    default, folder = Recipe.from_dict(settings["recipe"]), Path(settings["folder"])
    for content, suffix in ((_WARMING.encode(), ".txt"), (_as_docx(_WARMING), ".docx")):
        with suppress(Failure):
            anonymized(content, suffix, default, folder)  # what is loaded at first use is loaded now
    gc.collect()
    gc.freeze()  # what is loaded now is no garbage ever
    frames.write(outgoing, {"ready": True})
    with suppress(EOFError, BrokenPipeError):
        while True:
            job, content = frames.read(incoming)
            with collector_paused():  # nobody waits for it when the answer is out
                _answer(outgoing, job, content, default, folder)
            del job, content
            gc.collect()
    return 0


def _as_docx(text: str) -> bytes:
    from docx import Document

    document, stream = Document(), io.BytesIO()
    for line in text.splitlines():
        document.add_paragraph(line)
    document.save(stream)
    return stream.getvalue()


def anonymized(content: bytes, suffix: str, recipe: Recipe, folder: Path) -> tuple[bytes, dict[str, Any]]:
    """The ruling, safe to publish, and the figures of what was done. Raises `Failure`."""
    with readable(content, folder / f"ruling{suffix}") as source:
        try:
            anonymizer = Anonymizer(recipe, tagger_of(recipe), policy_of(recipe.policy))
            result = anonymizer(source)
        except InputError as error:
            raise Failure(UNREADABLE, told_without_quotation(error, source)) from None
        except MemoryError:
            raise Failure(MEMORY, TOO_MUCH) from None
    if result.remaining:
        number = len(result.remaining)
        raise Failure(NAMES_REMAIN, f"not handed out: the check still finds hidden names, in {number} places")
    dropped = len(result.dropped)
    looks = {"in_clear": len(result.in_clear), "unsure": len(result.unsure), "dropped_parts": dropped}
    looks["other_language"] = int(bool(result.language))
    return result.content, {**result.counts, **looks}


@contextmanager
def readable(content: bytes, path: Path) -> Iterator[Path]:
    """A path at which this process can read the ruling: a link into its own memory, so that no disk ever sees it. Where
    the system has no such files, it is a file for its owner alone, as long as it is needed."""
    with ExitStack() as stack:
        stack.callback(path.unlink, missing_ok=True)
        if hasattr(os, "memfd_create") and _DESCRIPTORS.is_dir():
            memory = stack.enter_context(os.fdopen(os.memfd_create("ruling"), "wb"))
            path.symlink_to(_DESCRIPTORS / str(memory.fileno()))
        else:
            path.touch(mode=0o600)
            memory = stack.enter_context(path.open("wb"))
        memory.write(content)
        memory.flush()
        yield path


def recipe_of(default: Recipe, options: Mapping[str, Any]) -> Recipe:
    """The service's recipe with what a request chose: ``pipeline``, ``language`` (its ready pipeline), ``scheme``,
    ``policy``, ``seed``."""
    recipe = default
    if pipeline := options.get("pipeline", PIPELINES.get(options.get("language", ""))):
        recipe = Recipe(annotator=pipeline, **{name: getattr(default, name) for name in _NOT_OF_TAGGER})
    chosen: dict[str, Any] = {name: options[name] for name in ("scheme", "policy", "seed") if name in options}
    return replace(recipe, **chosen)


def _answer(outgoing: IO[bytes], job: Mapping[str, Any], content: bytes, default: Recipe, folder: Path) -> None:
    try:
        result, told = anonymized(content, job["suffix"], recipe_of(default, job["options"]), folder)
        answer = {"figures": told}
    except Failure as failure:
        result, answer = b"", failure.told()
    except MemoryError:
        result, answer = b"", Failure(MEMORY, TOO_MUCH).told()
    except Exception as error:  # one ruling's bad luck does not end the worker
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(where.filename).name}:{where.lineno}"
        detail = f"the program erred ({type(error).__name__} at {place}). Report it with the ruling, if you may"
        result, answer = b"", Failure(INTERNAL, detail).told()
    frames.write(outgoing, {"lease": job["lease"], **answer}, result)


def told_without_quotation(error: InputError, source: Path) -> str:
    """What is wrong with a file; a quotation may be of the ruling, and is left out."""
    return _QUOTED.sub("a part of it", str(error).replace(str(source), "the ruling"))[:300]


def tagger_of(recipe: Recipe) -> Any:
    """What finds the mentions, kept for the next ruling with the same."""
    plain: dict[str, Any] = {name: getattr(Recipe(), name) for name in _NOT_OF_TAGGER}
    return _tagger(replace(recipe, **plain))


@lru_cache(_MODELS)
def _tagger(recipe: Recipe) -> Any:
    return recipe.tagger()


@lru_cache(_MODELS)
def policy_of(name: str | None) -> Any:
    """The policy of a recipe, kept for the next ruling with the same."""
    from aef.roles.policy import load_policy

    return load_policy(name) if name is not None else None


def limit_memory(most: int) -> None:
    """Have what asks for more than so many bytes be told that there are none."""
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def be_quiet() -> None:
    """Nothing that a library prints gets anywhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def dump_no_core() -> None:
    """Nothing of this process is written to a disk when it dies: there may be names in it."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    sys.exit(main())
