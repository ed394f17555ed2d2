"""A model as one file: a zip of JSON and arrays. No pickle, so that a model from a stranger can only be data."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

import aef
from aef import lexicons
from aef.corpus_tools.files import write_atomic
from aef.errors import InputError

if TYPE_CHECKING:
    from aef.finder import Finder

FORMAT, VERSION = "aef-model", 1
_LIMIT = 1 << 29
_MEMBERS = ("model.json", "weights.npy", "type_weights.npy")


def save(finder: Finder, path: str | Path, force: bool = False) -> None:
    """Write a fitted finder. Raises `InputError` where the path exists, unless ``force``."""
    widths = [len(values) for values in finder.vocabulary.values()]
    types = [finder.type_weights[name] for name in finder.type_weights]
    arrays = {
        "weights.npy": np.concatenate([np.empty(0), *finder.weights.values()]),
        "type_weights.npy": np.concatenate(types) if types else np.zeros((0, len(finder.types))),
    }
    assert len(arrays["weights.npy"]) == sum(widths)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, "model.json", json.dumps(_describe(finder), ensure_ascii=False, indent=1).encode())
        for name, array in arrays.items():
            stream = io.BytesIO()
            np.lib.format.write_array(stream, array.astype("<f8"), allow_pickle=False)
            _add(archive, name, stream.getvalue())
    write_atomic(path, buffer.getvalue(), force)


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    """With a fixed date, so that the same model gives the same bytes."""
    archive.writestr(zipfile.ZipInfo(name, (2000, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)


def _describe(finder: Finder) -> dict[str, Any]:
    built_in = lexicons.load_all(finder.language)
    own = {name: sorted(words) for name, words in finder.lexicons.items() if built_in.get(name) != words}
    return {
        "format": FORMAT,
        "format_version": VERSION,
        "aef_version": aef.__version__,
        "features": list(finder.features),
        "target": finder.target,
        "cut": finder.cut,
        "consistency": finder.consistency,
        "classifier": finder.solver,
        "language": finder.language,
        "lists": own,
        "intercept": finder.intercept,
        "vocabulary": {name: list(values) for name, values in finder.vocabulary.items()},
        "types": finder.types,
        "type_intercept": finder.type_intercept.tolist(),
        "trained_on": {"tokens": finder.trained_tokens, "documents": finder.fingerprints},
    }


def load(path: str | Path) -> Finder:
    """Read a finder. Raises `InputError` for what is no model, damaged, of a newer format or with unknown features."""
    try:
        with zipfile.ZipFile(path) as archive:
            _check_members(path, archive)
            described = json.loads(archive.read("model.json"))
            _check_format(path, described)
            arrays = {name: _array(archive, name) for name in _MEMBERS[1:]}
        return _rebuild(described, arrays)
    except FileNotFoundError as error:
        raise InputError.at(path, "no such file", remedy="A model is written by 'aef train'") from error
    except (IsADirectoryError, PermissionError) as error:
        raise InputError.at(path, f"cannot be read ({error.strerror})") from error
    except zipfile.BadZipFile as error:
        raise InputError.at(path, "is not a model", remedy="A model is a file written by 'aef train'") from error
    except InputError as error:
        raise error if str(path) in str(error) else InputError.at(path, str(error)) from error
    except (ValueError, KeyError, TypeError, AttributeError, EOFError, MemoryError, OSError, RecursionError) as error:
        raise InputError.at(
            path, f"is damaged ({type(error).__name__})", remedy="Train it anew with 'aef train'"
        ) from error


def _check_members(path: str | Path, archive: zipfile.ZipFile) -> None:
    names = [info.filename for info in archive.infolist()]
    if "model.json" not in names:
        raise InputError.at(path, "is not a model: it holds no model.json", remedy="Train one with 'aef train'")
    if sorted(names) != sorted(_MEMBERS):
        raise InputError.at(path, "is damaged: parts are missing or foreign", remedy="Train it anew with 'aef train'")
    if sum(info.file_size for info in archive.infolist()) > _LIMIT:
        raise InputError.at(path, f"unpacks to more than {_LIMIT >> 20} MB and is refused")


def _check_format(path: str | Path, described: Mapping[str, Any]) -> None:
    if described["format"] != FORMAT:
        raise InputError.at(path, f"is not a model of this program (format {described['format']!r})")
    if described["format_version"] > VERSION:
        raise InputError.at(
            path,
            f"has model format {described['format_version']}, newer than this version's {VERSION}",
            remedy=f"Use aef {described['aef_version']} or later",
        )


def _array(archive: zipfile.ZipFile, name: str) -> NDArray[np.float64]:
    """An array of finite float64 whose header promises no more than the member holds."""
    data = archive.read(name)
    stream = io.BytesIO(data)
    np.lib.format.read_magic(stream)
    shape, _, dtype = np.lib.format.read_array_header_1_0(stream)
    if dtype != np.dtype("<f8") or int(np.prod(shape, dtype=object)) * 8 != len(data) - stream.tell():
        raise ValueError(name)
    array: NDArray[np.float64] = np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)
    if not np.isfinite(array).all():
        raise ValueError(name)
    return array


def _rebuild(described: Mapping[str, Any], arrays: Mapping[str, NDArray[np.float64]]) -> Finder:
    from aef.finder import Finder

    finder = Finder(described["features"], described["target"], consistency=bool(described["consistency"]))
    finder.solver = dict(described["classifier"])
    finder.language = str(described["language"])
    own = {str(name): frozenset(map(str, words)) for name, words in described["lists"].items()}
    finder.lexicons = {**lexicons.load_all(finder.language), **own}
    vocabulary = {name: {str(v): i for i, v in enumerate(described["vocabulary"][name])} for name in finder.features}
    finder.vocabulary = vocabulary
    finder.cut, finder.intercept = float(described["cut"]), float(described["intercept"])
    finder.weights = _cut_up(arrays["weights.npy"], vocabulary)
    finder.types = [str(t) for t in described["types"]]
    finder.type_intercept = np.array(described["type_intercept"], dtype=np.float64)
    finder.type_weights = _cut_up(arrays["type_weights.npy"], vocabulary) if len(finder.types) > 1 else {}
    if len(finder.type_intercept) != len(finder.types):
        raise ValueError("types")
    finder.trained_tokens = int(described["trained_on"]["tokens"])
    finder.fingerprints = [str(f) for f in described["trained_on"]["documents"]]
    finder.fitted = True
    return finder


def _cut_up(rows: NDArray[np.float64], vocabulary: Mapping[str, Mapping[str, int]]) -> dict[str, NDArray[np.float64]]:
    """The rows of all columns, one below another, as one array a column."""
    ends = np.cumsum([len(values) for values in vocabulary.values()])
    if len(rows) != (ends[-1] if len(ends) else 0):
        raise ValueError("weights do not fit the vocabulary")
    return dict(zip(vocabulary, np.split(rows, ends[:-1]), strict=True))
