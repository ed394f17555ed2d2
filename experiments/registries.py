"""What there is to choose from, read from the registries: ``python -m aef.experiments.registries``.

Prints the table that README shows; ``--write README.md`` puts it there, between the lines ``<!-- registries -->`` and
``<!-- end of registries -->``. Plug-ins are left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

from aef.annotators.kinds import KINDS
from aef.annotators.pipeline import ready
from aef.corpus_tools.formats.registry import READ_ONLY
from aef.corpus_tools.rulings.readers import FORMATS
from aef.features import REGISTRY
from aef.replacement.schemes import SCHEMES
from aef.roles.policy import policies

BEGIN, END = "<!-- registries -->\n", "<!-- end of registries -->\n"


def listed() -> str:
    """The table, as Markdown."""
    groups = {feature.group for feature in REGISTRY.values()}
    written = sorted(FORMATS.keys() - READ_ONLY)
    formats = f"{_names(written)}; only read: {_names(sorted(READ_ONLY))}"
    rows = [
        ("formats of rulings", formats, "`@aef.reader(\".suffix\", write=...)`"),
        ("features of a token", f"{len(REGISTRY)} in {len(groups)} groups: `aef features`", "`@aef.feature`"),
        ("annotators", _names(KINDS), '`@aef.annotator_kind("name")`'),
        ("pipelines", _names(ready()), 'a TOML file, or `aef.pipeline("name", path)`'),
        ("policies", _names(policies()), "a TOML file"),
        ("replacement schemes", _names(SCHEMES), '`@aef.scheme("name")`'),
    ]  # fmt: skip
    lines = ["| what | there are | yours |\n", "|---|---|---|\n"]
    return "".join(lines + [f"| {what} | {there} | {yours} |\n" for what, there, yours in rows])


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def written(text: str) -> str:
    """A text with the table in its place in it."""
    before, _, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise SystemExit(f"there is no line {BEGIN.strip()} with {END.strip()} behind it")
    return f"{before}{BEGIN}\n{listed()}\n{END}{after}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the table into this Markdown file")
    path = parser.parse_args().write
    if path is None:
        print(listed(), end="")
    else:
        path.write_text(written(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
