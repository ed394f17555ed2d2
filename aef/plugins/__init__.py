"""What others add: modules of other packages, found by entry points, and files of one's own that the user names.

A plug-in is a Python module that registers things when it is imported: features (`aef.feature`), replacement schemes
(`aef.scheme`), kinds of annotators (`aef.annotator_kind`), formats of rulings (`aef.reader`), pipelines
(`aef.pipeline`). A package makes its module known in the group `GROUP`::

    [project.entry-points."aef.plugins"]
    ours = "ours.aef_features"

A file is named by ``--plugin FILE.py``, by `load`, or in the environment variable `VARIABLE`, where processes that this
one starts find it, too. A plug-in runs code: nothing that is read (a model, a pipeline's file, an archive, a request)
can name one. What packages bring is imported when a name is asked for that nobody has registered yet, and when all
names are listed.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from aef.errors import InputError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "aef.plugins"
"""The group of entry points, each of which names a module."""
VARIABLE = "AEF_PLUGINS"
"""Files of plug-ins, parted as those of PATH are."""

_PREFIX = "aef_plugin_"
_loaded: dict[Path, ModuleType] = {}
_packages: dict[str, str] = {}
"""The modules of packages that were imported, and the package of each, with its version."""
_troubles: dict[str, str] = {}


def load(path: str | Path) -> ModuleType:
    """Run the plug-in of a file, once; processes started from now on know of it, too.

    Raises `InputError` where there is no such Python file, and where running it fails.
    """
    file = Path(path).resolve()
    if file not in _loaded:
        if file.suffix != ".py" or not file.is_file():
            raise InputError.at(path, "is no Python file", remedy="A plug-in is a module of your own: FILE.py")
        _loaded[file] = _run(file, str(path))
        known = [name for name in os.environ.get(VARIABLE, "").split(os.pathsep) if name]
        os.environ[VARIABLE] = os.pathsep.join(dict.fromkeys([*known, str(file)]))
    return _loaded[file]


def _run(file: Path, shown: str) -> ModuleType:
    name = f"{_PREFIX}{file.stem}_{hashlib.sha256(str(file).encode()).hexdigest()[:8]}"
    spec = spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None  # it ends in .py
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # whatever somebody else's code raises
        del sys.modules[name]
        raise InputError.at(shown, f"cannot be run as a plug-in: {_said(error)}") from error
    return module


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def more() -> bool:
    """Import what nobody has asked for so far; whether there was any. What fails is in `troubles`."""
    before = len(_loaded) + len(_packages)
    for name in os.environ.get(VARIABLE, "").split(os.pathsep):
        if name:
            load(name)
    _import_packages()
    return len(_loaded) + len(_packages) > before


@cache
def _import_packages() -> None:
    from importlib.metadata import entry_points  # reading the entry points of all packages takes a while

    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        try:
            entry.load()
        except Exception as error:  # whatever somebody else's code raises
            _troubles[entry.name] = f"the plug-in '{entry.name}' ({_package(entry)}) cannot be imported: {_said(error)}"
        else:
            _packages[entry.module] = _package(entry)


def _package(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist is not None else entry.module


def troubles() -> str:
    """What went wrong in `more`, to be said where a name is missing; "" where nothing did."""
    return "".join(f". {trouble}" for trouble in _troubles.values())


def files() -> Iterator[Path]:
    """The files that the user has named so far: what is done depends on what they hold."""
    yield from _loaded


def origin(module: str) -> str:
    """The plug-in that a module is of: a package and its version, or a file's name; "" for what is our own."""
    if module.startswith(_PREFIX):
        return next((file.name for file, own in _loaded.items() if own.__name__ == module), module)
    if module.partition(".")[0] == "aef":
        return ""
    return next((package for own, package in _packages.items() if _shares(module, own)), module)


def _shares(module: str, other: str) -> bool:
    """Whether two modules are of one package."""
    return module.partition(".")[0] == other.partition(".")[0]
