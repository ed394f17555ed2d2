"""The extension of Sphinx: writes the generated pages before the others are read, and formulas without a script."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from building import reference

GENERATED = "reference/generated"


def write(app: Sphinx) -> None:
    """Write each generated page that is not there as it would be written; what no registry has any more goes."""
    folder = Path(app.srcdir) / GENERATED
    folder.mkdir(exist_ok=True)
    pages = reference.pages()
    for path in folder.glob("*.md"):
        if path.name not in pages:
            path.unlink()
    for name, text in pages.items():
        path = folder / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def _inline(self: HTML5Translator, node: nodes.math) -> None:
    self.body.append(tex2mathml(node.astext()))
    raise nodes.SkipNode


def _display(self: HTML5Translator, node: nodes.math_block) -> None:
    self.body.append(tex2mathml(node.astext(), as_block=True))
    raise nodes.SkipNode


def _skip(app: Sphinx, what: str, name: str, thing: object, skip: bool, options: object) -> bool | None:
    """What scikit-learn makes for its routing of metadata is none of our documentation."""
    return True if re.fullmatch(r"[gs]et_(\w+_request|metadata_routing)", name) else None


def _fields(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Have each "name : what it is" of a docstring stand by itself, as a term and what is said of it."""
    told, inside = [], False
    fields = (re.sub(r"(?<=\.) (?=\w+(, \w+)* :( |$))", "\n", line) for line in lines)
    for line in "\n".join(fields).split("\n"):
        field = re.fullmatch(r"(\w+(?:, \w+)*) :(.*)", line)
        inside = bool(field) or (inside and bool(line.strip()))
        told += (
            ["", f"``{field[1]}``", f"    {field[2].strip()}"] if field else [f"    {line.strip()}" if inside else line]
        )
    lines[:] = told


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("builder-inited", write)
    app.connect("autodoc-skip-member", _skip)
    app.connect("autodoc-process-docstring", _fields)
    app.add_html_math_renderer("mathml", (_inline, None), (_display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
