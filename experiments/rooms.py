"""The rooms of the house and the arrows between them, read from the source: ``python -m aef.experiments.rooms``.

Prints the tables and the pictures that CONTRIBUTING shows, Mermaid diagrams, of `corpus_tools` and of `aef`; ``--write
CONTRIBUTING.md`` puts them there, between the lines ``<!-- rooms of aef -->`` and ``<!-- end of rooms of aef -->``. An
arrow leads to what a room imports, also inside of functions; one that follows from others (a room's room's room) is
left out. A thick frame is where roles are decided.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

NO_ROOMS = frozenset({"benchmarks", "corpus_tools", "errors", "experiments", "features", "lexicons", "plugins"})
"""What is no room of `aef`: the other folders of the house, and the ground under all of them: errors and plug-ins."""


@dataclass(frozen=True)
class Floor:
    """A folder with rooms: its import name, and its rooms and flat modules from the ground up, each of which imports
    only from those before it. ``thick``: the room that is framed in the picture."""

    name: str
    order: tuple[str, ...]
    thick: str = ""

    @property
    def folder(self) -> str:
        return self.name.rpartition(".")[2]


CORPUS_TOOLS = Floor(
    "aef.corpus_tools",
    (
        "files",
        "edits",
        "tokenization",
        "document",
        "parts",
        "languages",
        "name_search",
        "metadata",
        "docx",
        "formats",
        "html",
        "rtf",
        "rulings",
        "alignment",
        "gold",
        "handwritten",
        "invented",
        "samples",
    ),
)
AEF = Floor(
    "aef",
    (
        "collector",
        "names",
        "classifiers",
        "propagation",
        "boundaries",
        "tagging",
        "citations",
        "context",
        "linking",
        "role_features",
        "roles",
        "annotators",
        "replacement",
        "verification",
        "evaluation",
        "reports",
        "learning/feature_extractor",
        "learning/selection",
        "learning/study",
        "learning/comparison",
        "learning/language",
        "anonymization",
        "corrections",
        "editing",
        "batch",
        "workers",
        "service",
        "client",
        "commands",
    ),
    thick="roles",
)


def modules(package: Path) -> Iterator[tuple[str, Path]]:
    """The room (or flat module) and the file of each module of the package."""
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package).with_suffix("").parts
        if parts[0] not in NO_ROOMS and parts not in (("__init__",), ("learning", "__init__")):
            yield room_of(parts), path


def room_of(parts: tuple[str, ...]) -> str:
    """The room of a module by the parts of its name below the package's."""
    return "/".join(parts[:2]) if parts[0] == "learning" and len(parts) > 1 else parts[0]


def imports(path: Path, package: str = "aef") -> set[str]:
    """The modules of a package, without its name, that a file imports, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name.removeprefix(f"{package}.") for name in found if name.startswith(f"{package}.")}


def arrows(floor: Floor, package: Path) -> dict[str, set[str]]:
    """The rooms that each room imports from."""
    found: dict[str, set[str]] = {}
    for room, path in modules(package):
        others = {room_of(tuple(name.split("."))) for name in imports(path, floor.name)}
        public = {other for other in others if not other.islower()} | {"__version__"}  # `aef.Finder`, not a module
        known = found.setdefault(room, set())
        known |= others - NO_ROOMS - public - {room}
    return {room: {other for other in others if other in found} for room, others in found.items()}


def short(arrows: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Without the arrows that follow from others."""
    reach: dict[str, set[str]] = {}

    def all_below(room: str, above: frozenset[str] = frozenset()) -> set[str]:
        if room not in reach:
            below = [*arrows.get(room, set()) - above]
            reach[room] = set(below).union(*(all_below(other, above | {room}) for other in below))
        return reach[room]

    return {
        room: {a for a in others if not any(a in all_below(b) for b in others - {a})} for room, others in arrows.items()
    }


def lines(floor: Floor, package: Path) -> dict[str, str]:
    """What each room or flat module says of itself."""
    found = {}
    for room in floor.order:
        folder = package / room
        path = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
        if path.is_file():
            text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            found[room] = " ".join(text.split("\n\n")[0].split())
    return found


def drawn(floor: Floor, package: Path) -> str:
    """The table of the rooms and the picture, as Markdown."""
    said = lines(floor, package)
    names = {room: f"{floor.folder}/{room}{'/' if (package / room).is_dir() else '.py'}" for room in said}
    table = "".join(
        ["| room | what it is for |\n|---|---|\n", *(f"| `{names[room]}` | {line} |\n" for room, line in said.items())]
    )
    below = short(arrows(floor, package))
    edges = [
        f"    {_node(room)} --> {_node(other)}\n" for room in reversed(said) for other in sorted(below.get(room, ()))
    ]
    nodes = [f'    {_node(room)}["<b>{room}</b><br/>{_brief(said[room])}"]\n' for room in reversed(said)]
    style = f"    style {floor.thick} stroke-width:4px\n" if floor.thick else ""
    return f"{table}\n```mermaid\nflowchart TD\n{''.join(nodes)}{''.join(edges)}{style}```\n"


def _node(room: str) -> str:
    return room.replace("/", "_")


def _brief(line: str) -> str:
    """What stands before the first colon, semicolon or full stop of a line, without quotation marks."""
    return re.split(r"[:;.](?:\s|$)", line)[0].replace('"', "")


def written(text: str, floor: Floor, package: Path) -> str:
    """A text with table and picture in their place in it."""
    begin, end = f"<!-- rooms of {floor.folder} -->\n", f"<!-- end of rooms of {floor.folder} -->\n"
    before, _, rest = text.partition(begin)
    _, found, after = rest.partition(end)
    if not found:
        raise SystemExit(f"there is no line {begin.strip()} with {end.strip()} behind it")
    return f"{before}{begin}\n{drawn(floor, package)}\n{end}{after}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", type=Path, metavar="FILE", help="put tables and pictures into this Markdown file")
    target: Path | None = parser.parse_args().write
    for floor in (CORPUS_TOOLS, AEF):
        package = Path(str(import_module(floor.name).__file__)).parent
        if target is None:
            print(drawn(floor, package))
        else:
            target.write_text(written(target.read_text(encoding="utf-8"), floor, package), encoding="utf-8")


if __name__ == "__main__":
    main()
