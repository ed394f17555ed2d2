"""The error report: a page of HTML with the judged texts, and in them what was found, missed and hidden wrongly.

The page is one file that loads nothing and, by its content policy, can send nothing: it holds the originals.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import groupby

import numpy as np

from aef.corpus_tools.document import Mention
from aef.evaluation.figures import FIGURE_NAMES, MATCH_HEADER, TYPE_HEADER, DocumentRow, Evaluation
from aef.evaluation.tab_benchmark import HEADER, MISSED_HEADER, TabFigures
from aef.evaluation.token_counts import Ints, Judged
from aef.reports.page import page, plain_table
from aef.reports.ruling_page import CSS, HEAD, SECRET, digest, jump, safe

_NONE, _HIT, _MISS, _WRONG = range(4)
_CLASSES = ("", "hit", "miss", "wrong")
_SAID = ("", "hidden rightly", "missed", "hidden wrongly")


def error_report(result: Evaluation, source: str, tab: TabFigures | None = None) -> str:
    """The page. ``source`` says what was evaluated; ``tab`` adds TAB's figures. The worst documents come first."""
    order = result.worst()
    rows = [result.documents[i] for i in order]
    misses = _Misses()
    texts = [_document(n, result.judged[i], row, misses) for n, (i, row) in enumerate(zip(order, rows, strict=True))]
    rulings = "".join(texts).replace(_LINK.format(misses.next), "")  # nothing comes after the last
    types = sorted({m.entity_type for d in result.judged for m in [*d.document.mentions, *d.hidden] if m.entity_type})
    body = (
        f"{_bar(types)}<main><h1>What was missed, and what was hidden wrongly</h1>"
        f"<p class=secret><b>Confidential.</b> {SECRET}</p>"
        f"<p>{safe(source)}; target: {result.target}; {len(rows)} documents.</p>"
        f"{_summary(result, tab)}<h2>Documents</h2>{_index(rows)}\n{rulings}</main>"
    )
    return page("Error report (confidential)", body, CSS, SCRIPT, HEAD.format(digest(SCRIPT)))


# --- figures --------------------------------------------------------------------------------------------------------


def _summary(result: Evaluation, tab: TabFigures | None) -> str:
    tables = [
        plain_table(result.rows(), ["", *result.header()[1:]]),
        plain_table(result.type_rows(), TYPE_HEADER),
        plain_table(result.match_rows(), MATCH_HEADER),
    ]
    if tab is not None:
        tables += [plain_table(tab.rows(), HEADER), plain_table(tab.missed_rows(), MISSED_HEADER)]
    lines = "".join(f"<li>{escape(line)}</li>" for line in result.lines())
    return f"<h2>Figures</h2><div class=tables>{''.join(tables)}</div><ul>{lines}</ul>"


def _index(rows: list[DocumentRow]) -> str:
    headings = ("missed", "wrong", "entities", *(FIGURE_NAMES[f] for f in _SHOWN))
    head = "<th class=text>document, the worst first</th>" + "".join(f"<th>{h}</th>" for h in headings)
    body = "".join(f"<tr>{_index_cells(n, row)}</tr>\n" for n, row in enumerate(rows))
    return (
        f"<div class='scroll index' tabindex=0><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _index_cells(number: int, row: DocumentRow) -> str:
    figures = (f"{100 * getattr(row, f):.1f}" for f in _SHOWN)
    cells = (row.fn, row.fp, f"{row.entities_found}/{row.entities}", *figures)
    link = f"<td class=text><a href='#d{number}'>{safe(row.doc_id)}</a></td>"
    return link + "".join(f"<td>{cell}</td>" for cell in cells)


_SHOWN = ("precision", "recall", "f2")
_LINK = "<a class=next href='#m{}' aria-label='next miss' title='next miss'></a>"


# --- texts ----------------------------------------------------------------------------------------------------------


@dataclass
class _Misses:
    """Numbers for the misses of the page, from 0."""

    next: int = 0

    def take(self) -> int:
        self.next += 1
        return self.next - 1


@dataclass(frozen=True, slots=True)
class _Mark:
    """A run of tokens with the same fate, inside one mention and one paragraph."""

    start: int
    end: int
    state: int
    entity_type: str
    tooltip: str


def _document(number: int, judged: Judged, row: DocumentRow, misses: _Misses) -> str:
    said = f"{row.fn} words missed, {row.fp} hidden wrongly, {row.entities_found} of {row.entities} entities hidden"
    first = f" <a class=next href='#m{misses.next}'>first miss</a>" if row.fn else ""
    return (
        f"<section class=doc id=d{number} data-name='{safe(row.doc_id.casefold())}'><h2>{safe(row.doc_id)} "
        f"<small>{said}</small>{first}</h2>\n<div class=ruling>{_text(judged, misses)}</div></section>\n"
    )


def _text(judged: Judged, misses: _Misses) -> str:
    """The whole text, a paragraph an element."""
    text = judged.document.text
    bounds = _bounds(judged)
    marks = groupby(_marks(judged, bounds), lambda mark: int(np.searchsorted(bounds, mark.start, side="right")) - 1)
    by_paragraph = {number: list(own) for number, own in marks}
    parts = []
    for number, (start, end) in enumerate(zip(bounds.tolist(), [*bounds[1:].tolist(), len(text)], strict=True)):
        own = by_paragraph.get(number, [])
        clean = "" if any(mark.state != _HIT for mark in own) else " class=clean"
        parts.append(f"<p{clean}>{_paragraph(text, start, end, own, misses)}</p>")
    return "".join(parts)


def _bounds(judged: Judged) -> Ints:
    """Where the paragraphs begin; the first at 0, so that no character is left out."""
    return np.unique([0, *(block.start for block in judged.document.blocks)]).astype(np.int64)


def _paragraph(text: str, start: int, end: int, marks: list[_Mark], misses: _Misses) -> str:
    parts = []
    for mark in marks:
        parts.append(safe(text[start : mark.start]))
        parts.append(_element(mark, text, misses))
        start = mark.end
    return "".join([*parts, safe(text[start:end])])


def _element(mark: _Mark, text: str, misses: _Misses) -> str:
    anchor = after = ""
    if mark.state == _MISS:
        number = misses.take()
        anchor = f" id=m{number}"
        after = _LINK.format(number + 1)
    kind = f" data-type='{safe(mark.entity_type)}'" if mark.entity_type else ""
    inner = safe(text[mark.start : mark.end])
    return f"<mark class={_CLASSES[mark.state]}{anchor}{kind} title='{safe(mark.tooltip)}'>{inner}</mark>{after}"


def _marks(judged: Judged, bounds: Ints) -> Iterator[_Mark]:
    states = np.select(
        [judged.gold & judged.found, judged.gold, judged.predicted], [_HIT, _MISS, _WRONG], default=_NONE
    ).tolist()
    gold = _owners(judged, [m for m, _ in judged.mentions])
    predicted = _owners(judged, judged.hidden)
    staying = _owners(judged, [m for m in judged.document.mentions if not m.masked])
    paragraphs = np.searchsorted(bounds, judged.starts, side="right").tolist()

    def fate(token: int) -> tuple[int, int, int]:
        owner = predicted if states[token] == _WRONG else gold
        return states[token], id(owner[token]), paragraphs[token]

    for (state, _, _), run in groupby(range(len(states)), fate):
        if state != _NONE:
            tokens = list(run)
            first = tokens[0]
            entity_type, tooltip = _said(state, gold[first], predicted[first], staying[first])
            yield _Mark(int(judged.starts[first]), int(judged.ends[tokens[-1]]), state, entity_type, tooltip)


def _owners(judged: Judged, mentions: list[Mention]) -> list[Mention | None]:
    """The mention each token is in, the innermost."""
    owners: list[Mention | None] = [None] * len(judged.starts)
    for mention in sorted(mentions, key=lambda m: (m.start, -m.end)):
        for token in judged.within(mention.start, mention.end):
            owners[token] = mention
    return owners


def _said(state: int, gold: Mention | None, predicted: Mention | None, staying: Mention | None) -> tuple[str, str]:
    """The entity type to filter by, and the tooltip."""
    lines = [_SAID[state]]
    if gold is not None:
        lines.append(f"gold: {_named(gold)}")
    elif staying is not None:
        lines.append(f"gold: {_named(staying)}, stays in clear")
    if predicted is not None:
        sure = "" if predicted.probability is None else f", probability {predicted.probability:.2f}"
        lines.append(f"system: {predicted.entity_type or 'no type'}{sure}")
    known = gold or predicted or staying
    return (known.entity_type if known else None) or "", "\n".join(lines)


def _named(mention: Mention) -> str:
    parts = (mention.entity_type or "no type", mention.identifier_type, mention.entity_id)
    return ", ".join(part for part in parts if part)


# --- the page -------------------------------------------------------------------------------------------------------


def _bar(types: list[str]) -> str:
    options = "".join(f"<option>{safe(kind)}</option>" for kind in types)
    legend = "".join(
        f"<label><input type=checkbox id=show-{name} checked> <mark class={name}>{said}</mark></label>"
        for name, said in zip(_CLASSES[1:], _SAID[1:], strict=True)
    )
    return (
        f"<nav class=bar><span class=flag>Confidential</span>{legend}"
        f"<label>type <select id=type><option value=''>all</option>{options}</select></label>"
        "<label>documents <select id=docs><option value=''>all</option><option value='.miss'>with a miss</option>"
        "<option value='.miss,.wrong'>with an error</option></select></label>"
        "<input id=name type=search placeholder='document' size=10 aria-label='document name holds'>"
        "<label><input type=checkbox id=short> only paragraphs with errors</label>"
        f"{jump('miss', [(-1, 'previous miss', 'p'), (1, 'next miss', 'n')], ' data-what=miss')}"
        f"{jump('wrong', [(-1, 'previous wrong word', 'shift + w'), (1, 'next wrong word', 'w')], ' data-what=wrong')}"
        "<span id=where></span></nav>"
    )


SCRIPT = r"""
"use strict";
const all = (query, from = document) => [...from.querySelectorAll(query)];
const get = id => document.getElementById(id);
let here = null;

function update() {
  const page = document.body.classList;
  for (const name of ["hit", "miss", "wrong"]) page.toggle("no-" + name, !get("show-" + name).checked);
  page.toggle("short", get("short").checked);
  const type = get("type").value, kinds = get("docs").value, name = get("name").value.trim().toLowerCase();
  for (const mark of all(".ruling mark")) mark.classList.toggle("off", type !== "" && mark.dataset.type !== type);
  const query = kinds && kinds.split(",").map(kind => kind + ":not(.off)").join(",");
  for (const doc of all(".doc"))
    doc.classList.toggle("away", !doc.dataset.name.includes(name) || (query !== "" && !doc.querySelector(query)));
  tell();
}

const among = what => all(`.doc:not(.away) .ruling .${what}:not(.off)`);

function tell() {
  const misses = among("miss"), at = misses.indexOf(here);
  get("where").textContent = at < 0 ? `${misses.length} misses` : `miss ${at + 1} of ${misses.length}`;
}

function jump(what, step) {
  const marks = among(what);
  if (!marks.length) return;
  const before = mark => here && here.compareDocumentPosition(mark) & Node.DOCUMENT_POSITION_PRECEDING;
  const past = marks.filter(mark => mark !== here && (here ? before(mark) : false));
  const ahead = marks.filter(mark => mark !== here && !before(mark));
  const next = step > 0 ? ahead[0] || marks[0] : past[past.length - 1] || marks[marks.length - 1];
  if (here) here.classList.remove("here");
  here = next;
  here.classList.add("here");
  here.scrollIntoView({ block: "center" });
  tell();
}

for (const input of all(".bar input, .bar select")) input.addEventListener("input", update);
for (const button of all(".bar button"))
  button.addEventListener("click", () => jump(button.dataset.what, Number(button.dataset.step)));
addEventListener("hashchange", () => {
  const mark = document.querySelector(".miss:target");
  if (!mark) return;
  if (here) here.classList.remove("here");
  here = mark;
  tell();
});
document.addEventListener("keydown", event => {
  if (event.target.matches("input, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  const steps = { n: ["miss", 1], p: ["miss", -1], w: ["wrong", 1], W: ["wrong", -1] };
  if (event.key in steps) jump(...steps[event.key]);
});
update();
"""
