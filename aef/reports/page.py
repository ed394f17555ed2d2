"""What the project's pages of HTML share: tables of columns, and a page that needs no other file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

Row = dict[str, Any]


@dataclass(frozen=True)
class Column:
    """A column: its heading, what it shows of a row, and whether it is of another corpus (on another tint)."""

    heading: str
    show: Callable[[Row], str]
    other: bool = False
    text: bool = False


def words(heading: str, key: str, other: bool = False) -> Column:
    return Column(heading, lambda row: str(row[key]), other, text=True)


def count(heading: str, key: str, other: bool = False) -> Column:
    return Column(heading, lambda row: "" if row.get(key) is None else spaced(row[key]), other)


def spaced(number: int) -> str:
    """With a space between the thousands."""
    return f"{number:,}".replace(",", "\N{NO-BREAK SPACE}")


def figure(heading: str, key: str, other: bool = False, digits: int = 2) -> Column:
    """A fraction in percent."""
    return Column(heading, lambda row: _percent(row.get(key), digits), other)


def _percent(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{100 * value:.{digits}f}"


def table(
    columns: Sequence[Column], rows: Sequence[Row], marked: Callable[[Row], bool] = lambda row: False, above: str = ""
) -> str:
    """An HTML table; rows ``marked`` stand out; ``above``: a row of HTML over the headings."""
    head = "".join(f"<th{_classes(c)}>{escape(c.heading)}</th>" for c in columns)
    body = "".join(
        f"<tr{' class=marked' if marked(row) else ''}>"
        + "".join(f"<td{_classes(c)}>{escape(c.show(row))}</td>" for c in columns)
        + "</tr>\n"
        for row in rows
    )
    head = f"<thead>{above}<tr>{head}</tr></thead>"
    return f"<div class=scroll tabindex=0><table>{head}<tbody>\n{body}</tbody></table></div>"


def _classes(column: Column) -> str:
    names = [name for name, on in (("text", column.text), ("other", column.other)) if on]
    return f' class="{" ".join(names)}"' if names else ""


def plain_table(rows: Sequence[Sequence[Any]], header: Sequence[str]) -> str:
    """As `aef.commands.common.table`, in HTML: the first column is text, floats have one decimal."""
    columns = [
        Column(heading, lambda row, i=i: _cell(row["cells"][i]), text=i == 0)  # type: ignore[misc]
        for i, heading in enumerate(header)
    ]
    return table(columns, [{"cells": row} for row in rows])


def _cell(value: Any) -> str:
    if isinstance(value, int):
        return spaced(value)
    return f"{value:.1f}" if isinstance(value, float) else str(value)


def page(title: str, body: str, css: str = "", script: str = "", head: str = "") -> str:
    """A whole page; ``css`` comes after the common style, ``head`` is HTML for the head."""
    return (
        "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>"
        "<meta name=viewport content='width=device-width, initial-scale=1'>"
        f"{head}<title>{escape(title)}</title><style>{CSS}{css}</style></head><body>\n{body}"
        f"{f'<script>{script}</script>' if script else ''}</body></html>\n"
    )


CSS = """
:root { color-scheme: light dark; --ground: light-dark(#fff, #16181c); --ink: light-dark(#1a1a1a, #e8e6e1);
  --soft: light-dark(#595959, #a9adb5); --line: light-dark(#ccc, #41454d); --rule: light-dark(#888, #7d828b);
  --link: light-dark(#005a8c, #8fbcf2); --panel: light-dark(#f3f7fa, #1f2227); --other: light-dark(#fbf4e6, #332a18); }
body { font: 1rem/1.5 system-ui, "Segoe UI", Helvetica, Arial, sans-serif; color: var(--ink); background: var(--ground);
  max-width: 68rem; margin: 2rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.8rem; line-height: 1.2; } h2 { font-size: 1.3rem; margin: 2.6rem 0 .4rem; }
h2 small { font-weight: normal; font-size: .85rem; color: var(--soft); margin-left: .5rem; }
h3 { font-size: 1.05rem; margin: 1.6rem 0 .3rem; } p, li { max-width: 46rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums; margin: .6rem 0; }
th, td { padding: .2rem .42rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
thead th { border-bottom: 2px solid var(--rule); font-weight: 600; vertical-align: bottom; white-space: normal; }
.text { text-align: left; } img { background: #fff; }
tr.marked td { font-weight: 700; border-top: 1px solid var(--rule); border-bottom: 1px solid var(--rule); }
details { margin: .8rem 0; } summary { cursor: pointer; color: var(--link); }
@media print { :root { color-scheme: light; }
  html { font-size: 10.5px; } body { max-width: none; margin: 0; padding: 0; } nav { display: none; }
  .scroll { overflow: visible; } tr { break-inside: avoid; } h2, h3 { break-after: avoid; } }
"""
