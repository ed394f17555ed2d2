"""A model as one file: a zip of JSON and arrays. No pickle, so that a model from a stranger can only be data."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

import aef
from aef import lexicons, plugins
from aef.classifiers.linear import Linear
from aef.corpus_tools.files import write_atomic
from aef.errors import InputError
from aef.features import resolve
from aef.features.ruling import RARE, Frequencies
from aef.tagging.promise import Promise
from aef.tagging.second_pass import SecondPass

if TYPE_CHECKING:
    from aef.tagging.finder import Finder

FORMAT, VERSION, AROUND, CHAINS, OLDEST = "aef-model", 5, 4, 3, 2
"""Models of whole sentences have format 3, which programs before refuse and must: by itself a token's score is another.
Those that look at the tokens beside, or at phrases as a whole, have format 4, those that have learned where mentions
begin 5. What programs before can read is still
written in format 2."""

_LIMIT = 1 << 29
_MODELS = ("body", "outside", "types", "second")


def save(finder: Finder, path: str | Path, force: bool = False) -> None:
    """Write a fitted finder. Raises `InputError` where the path exists, unless ``force``."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, "model.json", json.dumps(_describe(finder), ensure_ascii=False, indent=1).encode())
        for name, table in _tables(finder).items():
            stream = io.BytesIO()
            np.lib.format.write_array(stream, table.astype("<f8"), allow_pickle=False)
            _add(archive, f"{name}.npy", stream.getvalue())
    write_atomic(path, buffer.getvalue(), force)


def _tables(finder: Finder) -> dict[str, NDArray[np.float64]]:
    second = {} if finder.second is None else {"second": finder.second.table}
    return {name: model.table() for name, model in finder.models.items()} | second


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    """With a fixed date, so that the same model gives the same bytes."""
    archive.writestr(zipfile.ZipInfo(name, (2000, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)


def _describe(finder: Finder) -> dict[str, Any]:
    built_in = lexicons.load_all(finder.language)
    own = {name: sorted(words) for name, words in finder.lexicons.items() if built_in.get(name) != words}
    chain = {n: m.transitions.tolist() for n, m in finder.models.items() if m.transitions is not None}
    return {
        "format": FORMAT,
        "format_version": _version(finder, bool(chain)),
        "aef_version": aef.__version__,
        "features": list(finder.features),
        "target": finder.target,
        "cut": finder.cut,
        "preset": finder.preset,
        "presets": finder.cuts,
        "expected": finder.expected,
        "promise": finder.promise,
        **({"roles": finder.roles} if finder.roles else {}),
        "names_free": finder.names_free,
        "frequencies": {word: count for word, count in finder.frequencies.documents.items() if count >= RARE},
        "consistency": finder.consistency,
        "classifier": finder.solver,
        **({"phrase_share": finder.share} if finder.share else {}),
        "language": finder.language,
        "lists": own,
        "vocabulary": {name: list(values) for name, values in finder.vocabulary.items() if not _base(name, finder)},
        "types": finder.types,
        "models": list(_tables(finder)),
        **({"plugins": needed} if (needed := _plugins(finder)) else {}),
        **({"learner": finder.learner, "transitions": chain} if chain else {}),
        "trained_on": {"tokens": finder.trained_tokens, "documents": finder.fingerprints},
    }


def _version(finder: Finder, chain: bool) -> int:
    if "types" in finder.models and finder.models["types"].intercept.size > len(finder.types):
        return VERSION
    return AROUND if _looks_around(finder) else CHAINS if chain else OLDEST


def _plugins(finder: Finder) -> dict[str, str]:
    """The features that are not our own, and the plug-in of each."""
    found = {name: plugins.origin(resolve(name).function.__module__) for name in finder.features}
    return {name: plugin for name, plugin in found.items() if plugin}


def _looks_around(finder: Finder) -> bool:
    return finder.share > 0 or any(resolve(name).offset for name in finder.features)


def _base(name: str, finder: Finder) -> str:
    """The feature that has the predicates of one for the tokens beside; "" where it has its own."""
    base = resolve(name).base
    return base if base in finder.features else ""


def load(path: str | Path) -> Finder:
    """Read a finder. Raises `InputError` for what is no model, damaged, of a newer format or with unknown features."""
    try:
        with zipfile.ZipFile(path) as archive:
            _check_members(path, archive)
            described = json.loads(archive.read("model.json"))
            _check_format(path, described)
            tables = {name: _array(archive, f"{name}.npy") for name in described["models"]}
        return _rebuild(described, tables)
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
    if not {"model.json", "body.npy"} <= set(names) <= {"model.json", *(f"{name}.npy" for name in _MODELS)}:
        raise InputError.at(path, "is damaged: parts are missing or foreign", remedy="Train it anew with 'aef train'")
    if sum(info.file_size for info in archive.infolist()) > _LIMIT:
        raise InputError.at(path, f"unpacks to more than {_LIMIT >> 20} MB and is refused")


def _check_format(path: str | Path, described: Mapping[str, Any]) -> None:
    if described["format"] != FORMAT:
        raise InputError.at(path, f"is not a model of this program (format {described['format']!r})")
    if described["format_version"] < OLDEST:
        raise InputError.at(path, "was written by an earlier version", remedy="Train it anew with 'aef train'")
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


def _rebuild(described: Mapping[str, Any], tables: Mapping[str, NDArray[np.float64]]) -> Finder:
    from aef.tagging.finder import Finder

    _must_have_plugins(described.get("plugins", {}))
    tables = dict(tables)
    second = tables.pop("second", None)
    finder = Finder(
        described["features"],
        described["target"],
        consistency=bool(described["consistency"]),
        learner=described.get("learner", "maxent"),
        names_free=bool(described["names_free"]),
        second_pass=second is not None,
        language=str(described["language"]),
    )
    finder.second = None if second is None else SecondPass.from_table(second)
    finder.solver = dict(described["classifier"])
    lists = {str(name): frozenset(map(str, words)) for name, words in described["lists"].items()}
    finder.lexicons = {**finder.lexicons, **lists}
    vocabulary = _vocabulary(described["vocabulary"], finder)
    finder.vocabulary = vocabulary
    finder.share = _share(described.get("phrase_share", 0.0), finder)
    finder.cut = float(described["cut"])
    finder.preset = str(described["preset"])
    finder.cuts = {str(name): float(cut) for name, cut in described["presets"].items()}
    finder.expected = {str(name): float(score) for name, score in described["expected"].items()}
    promise = described.get("promise")
    finder.promise = None if promise is None else Promise.from_dict(promise).to_dict()
    finder.roles = _roles(described.get("roles"))
    frequencies = described["frequencies"]
    finder.frequencies = Frequencies(dict(zip(frequencies, map(int, frequencies.values()), strict=True)))
    chain = _transitions(described.get("transitions", {}), tables.keys() - {"types"} if finder.learner == "crf" else ())
    own = {name: values for name, values in vocabulary.items() if not resolve(name).offset}
    by_model = {"types": own if described["format_version"] > CHAINS else vocabulary}
    models = {name: Linear.from_table(table, by_model.get(name, vocabulary)) for name, table in tables.items()}
    finder.models = {name: replace(model, transitions=chain.get(name)) for name, model in models.items()}
    finder.types = [str(t) for t in described["types"]]
    shapes = {name: model.intercept.shape for name, model in finder.models.items()}
    kinds = len(finder.types) * (2 if described["format_version"] == VERSION else 1)
    types = {"types": (kinds,)} if kinds > 1 else {}
    if shapes != dict.fromkeys(shapes.keys() - {"types"}, ()) | types:
        raise ValueError("types do not fit the weights")
    finder.trained_tokens = int(described["trained_on"]["tokens"])
    finder.fingerprints = [str(f) for f in described["trained_on"]["documents"]]
    finder.fitted = True
    return finder


def _must_have_plugins(needed: Mapping[str, Any]) -> None:
    """Raise `InputError` where a feature of a plug-in is missing. A name is all that a model says of a plug-in: only
    what is installed, or named by the user, is ever run."""
    absent = {}
    for name, plugin in needed.items():
        try:
            resolve(str(name))
        except InputError:
            absent[str(name)] = str(plugin)
    if absent:
        raise InputError(
            f"needs the plug-in {' and '.join(sorted(set(absent.values())))} for its features {', '.join(absent)}. "
            f"Install the package, or name the file: --plugin FILE.py{plugins.troubles()}"
        )


def _vocabulary(described: Mapping[str, Sequence[str]], finder: Finder) -> dict[str, dict[str, int]]:
    own = {str(name): dict(zip(map(str, values), count(), strict=False)) for name, values in described.items()}
    return {name: own[name if name in own else _base(name, finder)] for name in finder.features}


def _roles(described: Any) -> dict[str, Any] | None:
    """What corrected rulings taught of roles, as plain finite numbers. Raises `ValueError` for others."""
    if described is None:
        return None
    shift, weights = float(described["shift"]), {str(name): float(w) for name, w in described["weights"].items()}
    if not np.isfinite([shift, *weights.values()]).all():
        raise ValueError("roles")
    return {"shift": shift, "weights": weights}


def _share(described: Any, finder: Finder) -> float:
    """Raises `ValueError` for what is no share, and for one that such a finder cannot have."""
    share = float(described)
    if not 0 <= share <= (1 if len(finder.shares) > 1 else 0):
        raise ValueError("phrase_share")
    return share


def _transitions(described: Mapping[str, Any], wanted: Collection[str]) -> dict[str, NDArray[np.float64]]:
    """Those of each model ``wanted``. Raises `ValueError` where some are missing, foreign or no finite (2, 2)."""
    found = {str(name): np.array(rows, dtype=np.float64) for name, rows in described.items()}
    sound = all(rows.shape == (2, 2) and np.isfinite(rows).all() for rows in found.values())
    if not sound or found.keys() != set(wanted):
        raise ValueError("transitions do not fit the models")
    return found
