"""The rooms of `aef` and the arrows between them, read from the source: ``python -m aef.experiments.rooms``.

Prints the table and the picture that CONTRIBUTING shows, a Mermaid diagram; ``--write CONTRIBUTING.md`` puts them
there, between the lines ``<!-- rooms -->`` and ``<!-- end of rooms -->``. An arrow leads to what a room imports, also
inside of functions; one that follows from others (a room's room's room) is left out. A thick frame is where roles are
decided.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

ORDER = (
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
    "review",
    "anonymization",
    "corrections",
    "recipe",
    "editing",
    "batch",
    "workers",
    "service",
    "client",
    "commands",
)
"""Rooms and flat modules of `aef`, from the ground up: each imports only from those before it."""

FLOORS = frozenset({"benchmarks", "corpus_tools", "errors", "experiments", "features", "lexicons", "plugins"})
"""What is no room: the other folders of the house, and the ground under all of them: errors and plug-ins."""

BEGIN, END = "<!-- rooms -->\n", "<!-- end of rooms -->\n"
DECIDES = "roles"


def modules(package: Path) -> Iterator[tuple[str, Path]]:
    """The room (or flat module) and the file of each module of the package."""
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package).with_suffix("").parts
        if parts[0] not in FLOORS and parts not in (("__init__",), ("learning", "__init__")):
            yield room_of(parts), path


def room_of(parts: tuple[str, ...]) -> str:
    """The room of a module by the parts of its name below `aef`."""
    return "/".join(parts[:2]) if parts[0] == "learning" and len(parts) > 1 else parts[0]


def imports(path: Path) -> set[str]:
    """The modules of `aef`, without that word, that a file imports, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name.removeprefix("aef.") for name in found if name.startswith("aef.")}


def arrows(package: Path) -> dict[str, set[str]]:
    """The rooms that each room imports from."""
    found: dict[str, set[str]] = {}
    for room, path in modules(package):
        others = {room_of(tuple(name.split("."))) for name in imports(path)}
        public = {other for other in others if not other.islower()} | {"__version__"}  # `aef.Finder`, not a module
        known = found.setdefault(room, set())
        known |= others - FLOORS - public - {room}
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


def lines(package: Path) -> dict[str, str]:
    """What each room or flat module says of itself."""
    found = {}
    for room in ORDER:
        folder = package / room
        path = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
        if path.is_file():
            text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            found[room] = " ".join(text.split("\n\n")[0].split())
    return found


def drawn(package: Path) -> str:
    """The table of the rooms and the picture, as Markdown."""
    said = lines(package)
    rows = [f"| `aef/{room}{'/' if (package / room).is_dir() else '.py'}` | {line} |\n" for room, line in said.items()]
    table = "".join(["| room | what it is for |\n|---|---|\n", *rows])
    below = short(arrows(package))
    edges = [
        f"    {_node(room)} --> {_node(other)}\n" for room in reversed(said) for other in sorted(below.get(room, ()))
    ]
    nodes = [f'    {_node(room)}["<b>{room}</b><br/>{_brief(said[room])}"]\n' for room in reversed(said)]
    style = f"    style {DECIDES} stroke-width:4px\n"
    return f"{table}\n```mermaid\nflowchart TD\n{''.join(nodes)}{''.join(edges)}{style}```\n"


def _node(room: str) -> str:
    return room.replace("/", "_")


def _brief(line: str) -> str:
    """What stands before the first colon, semicolon or full stop of a line, without quotation marks."""
    return re.split(r"[:;.](?:\s|$)", line)[0].replace('"', "")


def written(text: str, package: Path) -> str:
    """A text with table and picture in their place in it."""
    before, _, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise SystemExit(f"there is no line {BEGIN.strip()} with {END.strip()} behind it")
    return f"{before}{BEGIN}\n{drawn(package)}\n{END}{after}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", type=Path, metavar="FILE", help="put table and picture into this Markdown file")
    parser.add_argument("--package", type=Path, metavar="FOLDER", help="the folder of aef (default: the installed one)")
    args = parser.parse_args()
    package = args.package or _installed()
    if args.write is None:
        print(drawn(package), end="")
    else:
        args.write.write_text(written(args.write.read_text(encoding="utf-8"), package), encoding="utf-8")


def _installed() -> Path:
    import aef

    return Path(aef.__file__).parent


if __name__ == "__main__":
    main()
