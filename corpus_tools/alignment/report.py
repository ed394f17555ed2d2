"""The report of an alignment: as JSON for programs, and as one self-contained page for the editor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from html import escape
from typing import Any

from aef.corpus_tools.alignment.findings import (
    ANONYMIZED,
    INCONSISTENT,
    KINDS,
    MISSED,
    ORIGINAL,
    REWORDED,
    TWO_LABELS,
    TWO_PERSONS,
    UNPAIRED,
    Finding,
    Place,
)
from aef.corpus_tools.alignment.run import Alignment, Replacement
from aef.corpus_tools.document import Block

HEADINGS = {
    MISSED: ("Missed", "Names hidden elsewhere in the ruling and left in clear here."),
    INCONSISTENT: ("Inconsistent", "Replaced in one place, kept in most others: to be decided."),
    TWO_LABELS: ("One person under two labels", "The same name carries different labels."),
    TWO_PERSONS: ("Two persons under one label", "Names that cannot be one person's carry the same label."),
    UNPAIRED: ("Paragraphs without a partner", "Cut from the original, or added to the anonymized version."),
    REWORDED: ("Reworded", "Changed, but not hidden: not labelled as anonymized."),
}
_LONG_KINDS = (UNPAIRED, REWORDED)  # of little urgency and many: folded up
_MOST_PLACES = 12


def totals(alignments: Iterable[Alignment]) -> dict[str, Any]:
    """Counts over all pairs, and the number of findings (places, for names left in clear) of each kind."""
    counts: Counter[str] = Counter()
    findings: Counter[str] = Counter(dict.fromkeys(KINDS, 0))
    for alignment in alignments:
        counts.update({"pairs": 1, **alignment.counts})
        findings.update(count_findings(alignment.findings))
    return {**counts, "findings": dict(findings)}


def count_findings(findings: Iterable[Finding]) -> Counter[str]:
    """Findings by kind; each place where a name was missed counts."""
    counts: Counter[str] = Counter()
    for finding in findings:
        counts[finding.kind] += len(finding.places) if finding.kind == MISSED else 1
    return counts


def report_json(alignments: Sequence[Alignment]) -> dict[str, Any]:
    """The report as plain values: totals, and each pair's counts, replacements and findings with their places."""
    return {"totals": totals(alignments), "rulings": [_record(a) for a in alignments]}


def _record(alignment: Alignment) -> dict[str, Any]:
    return {
        "doc_id": alignment.doc_id,
        "counts": alignment.counts,
        "paired_share": round(alignment.paired_share, 4),
        "replacements": [
            {
                "label": r.label,
                "convention": r.convention,
                "entity_type": r.entity_type,
                "count": r.count,
                "originals": [{"text": text, "count": n} for text, n in r.originals],
            }
            for r in alignment.replacements
        ],
        "findings": [asdict(f) for f in alignment.findings],
    }


def report_html(alignments: Sequence[Alignment]) -> str:
    """The report as one page that needs nothing else; ruling text is escaped."""
    what = alignments[0].doc_id or "a ruling" if len(alignments) == 1 else f"{len(alignments)} rulings"
    title = f"Alignment of {what}"
    body = [f"<header><h1>{escape(title)}</h1>{_tiles(totals(alignments))}{_LEGEND}</header>"]
    if len(alignments) > 1:
        body.append(_overview(alignments))
    body += [_section(number, alignment, len(alignments) == 1) for number, alignment in enumerate(alignments, 1)]
    return _PAGE.format(title=escape(title), style=_STYLE, body="\n".join(body))


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f}%" if whole else "–"


def _tiles(sums: dict[str, Any]) -> str:
    tiles = [
        (f"{sums['paragraphs_paired']:,}", f"of {sums['paragraphs']:,} paragraphs have a partner", ""),
        (f"{sums['tokens_a']:,}", f"of {sums['tokens']:,} tokens are hidden", ""),
        (f"{sums['findings'][MISSED]:,}", "names missed", " alert" if sums["findings"][MISSED] else ""),
    ]
    tiles += [(f"{sums['findings'][k]:,}", HEADINGS[k][0].lower(), "") for k in KINDS if k != MISSED]
    return '<ul class="tiles">' + "".join(f'<li class="tile{c}"><b>{n}</b> {w}</li>' for n, w, c in tiles) + "</ul>"


def _overview(alignments: Sequence[Alignment]) -> str:
    rows = []
    for number, a in enumerate(alignments, 1):
        found = count_findings(a.findings)
        figures = (
            _share(a.counts["paragraphs_paired"], a.counts["paragraphs"]),
            f"{a.counts['tokens']:,}",
            f"{a.counts['tokens_a']:,}",
            *(str(found[kind] or "·") for kind in KINDS),
        )
        cells = "".join(f'<td class="n">{f}</td>' for f in figures)
        rows.append(f'<tr><th scope="row"><a href="#r{number}">{escape(a.doc_id)}</a></th>{cells}</tr>')
    names = ("ruling", "paired", "tokens", "hidden", *(HEADINGS[k][0].lower() for k in KINDS))
    head = "".join(f'<th scope="col">{n}</th>' for n in names)
    table = f'<table class="overview"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
    return f'<div class="scroll" tabindex="0">{table}</div>'


def _section(number: int, alignment: Alignment, alone: bool) -> str:
    labels = {m.start: str(m.extra.get("replacement", "")) for m in alignment.document.mentions}
    parts = [] if alone else [f"<h2>{escape(alignment.doc_id)}</h2>{_tiles(totals([alignment]))}"]
    for kind in KINDS:
        findings = [f for f in alignment.findings if f.kind == kind]
        if findings:
            parts.append(_findings(number, kind, findings, labels))
    parts.append(_replacement_table(alignment.replacements))
    text = "".join(_paragraphs(number, alignment))
    parts.append(f"<details{' open' if alone else ''}><summary><h3>The original</h3></summary>{text}</details>")
    return f'<section id="r{number}">{"".join(parts)}</section>'


def _findings(number: int, kind: str, findings: Sequence[Finding], labels: Mapping[int, str]) -> str:
    name, meaning = HEADINGS[kind]
    times = count_findings(findings)[kind]
    items = "".join(_finding(number, f, labels) for f in findings)
    heading = f'<h3>{name} <span class="count">{times}</span></h3>'
    inside = f'<p class="meaning">{meaning}</p><ul class="findings">{items}</ul>'
    if kind in _LONG_KINDS:
        return f"<details><summary>{heading}</summary>{inside}</details>"
    return heading + inside


def _finding(number: int, finding: Finding, labels: Mapping[int, str]) -> str:
    shown = finding.places[:_MOST_PLACES]
    rest = len(finding.places) - len(shown)
    more = f'<li class="more">and {rest} more</li>' if rest > 0 else ""
    places = "".join(f"<li>{_place(number, finding.kind, p, labels)}</li>" for p in shown)
    if finding.kind in _LONG_KINDS:
        return f"<li><strong>{escape(finding.text)}</strong><ol>{places}</ol></li>"
    suggestion = f'<span class="todo">{escape(finding.suggestion)}</span>'
    return f"<li><strong>{escape(finding.text)}</strong> {suggestion}<ol>{places}{more}</ol></li>"


def _place(number: int, kind: str, place: Place, labels: Mapping[int, str]) -> str:
    where = f"original ¶&nbsp;{place.paragraph}"
    if place.side == ORIGINAL:
        where = f'<a href="#r{number}p{place.paragraph}">{where}</a>'
    elif place.side == ANONYMIZED:
        where = f"anonymized ¶&nbsp;{place.paragraph}"
    if place.counterpart:
        where += f", anonymized ¶&nbsp;{place.counterpart.paragraph}"
    where = f'<span class="where">{where}</span>'
    if kind == UNPAIRED:
        return where
    marked = f'<mark class="{_css(kind)}">{escape(place.text) or "∅"}</mark>'
    if kind in (TWO_LABELS, TWO_PERSONS) and labels.get(place.start):
        marked += f' <span class="label">→ {escape(labels[place.start])}</span>'
    return f"{where} {escape(place.before)}{marked}{escape(place.after)}"


def _css(kind: str) -> str:
    return "missed" if kind == MISSED else "reworded" if kind == REWORDED else "hidden"


def _replacement_table(replacements: Sequence[Replacement]) -> str:
    rows = []
    for r in replacements:
        originals = ", ".join(f"{escape(text)}{f' <i>×{n}</i>' if n > 1 else ''}" for text, n in r.originals)
        label = escape(r.label) or "<i>deleted</i>"
        rows.append(
            f'<tr><th scope="row">{label}</th><td>{escape(r.entity_type or "–")}</td><td>{escape(r.convention)}</td>'
            f'<td class="n">{r.count}</td><td>{originals}</td></tr>'
        )
    names = ("label", "type", "convention", "times", "stands for")
    head = "".join(f'<th scope="col">{n}</th>' for n in names)
    return (
        f'<h3>Replacements <span class="count">{len(rows)}</span></h3>'
        f'<table class="replacements"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
    )


def _paragraphs(number: int, alignment: Alignment) -> Iterator[str]:
    """The original's paragraphs, with what was hidden, missed and reworded marked."""
    paired = {i for pair in alignment.pairs for i in pair.original}
    spans = sorted(_spans(alignment))
    for i, block in enumerate(alignment.document.blocks):
        kind, note = ("", "") if i in paired else (" alone", '<span class="note">without a partner</span>')
        text = _marked(alignment.document.text, block, [s for s in spans if block.start <= s[0] < block.end])
        yield (
            f'<p class="par {escape(block.part)}{kind}" id="r{number}p{i + 1}">'
            f'<span class="num">{i + 1}</span>{note}{text}</p>'
        )


def _spans(alignment: Alignment) -> Iterator[tuple[int, int, str, str]]:
    """(start, end, class, what hovering shows)"""
    for mention in alignment.document.mentions:
        label = str(mention.extra.get("replacement", "")) or "deleted"
        kind = "missed" if mention.extra.get("missed") else "hidden"
        yield mention.start, mention.end, kind, f"{'missed: ' if kind == 'missed' else ''}→ {label}"
    for finding in alignment.findings:
        if finding.kind in (MISSED, REWORDED):
            note = finding.suggestion if finding.kind == MISSED else finding.text
            yield from ((p.start, p.end, _css(finding.kind), note) for p in finding.places if p.side == ORIGINAL)


def _marked(text: str, block: Block, spans: Sequence[tuple[int, int, str, str]]) -> str:
    pieces, at = [], block.start
    for start, end, kind, note in spans:
        if start < at or start == end:
            continue
        pieces.append(escape(text[at:start]))
        pieces.append(f'<mark class="{kind}" title="{escape(note)}">{escape(text[start:end])}</mark>')
        at = end
    pieces.append(escape(text[at : max(at, block.end)]))
    return "".join(pieces)


_LEGEND = (
    '<p class="legend"><mark class="hidden">hidden</mark> replaced or deleted by the editor (hover shows the label) '
    '<mark class="missed">missed</mark> left in clear here, hidden elsewhere '
    '<mark class="reworded">reworded</mark> changed, not hidden</p>'
)

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset=utf-8><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
{body}
</body>
</html>
"""

_STYLE = """
:root { color-scheme: light dark; --ground: light-dark(#fff, #16181c); --ink: light-dark(#1d2129, #e8e6e1);
  --soft: light-dark(#5d6673, #a9adb5); --line: light-dark(#dfe3e8, #41454d); --hidden: light-dark(#dbe8f8, #1e3a5f);
  --hidden-ink: light-dark(#123f73, #d8e8fb); --missed: light-dark(#ffd9cf, #5a2014);
  --missed-ink: light-dark(#8a1c05, #ffc3b5); --changed: light-dark(#b98a00, #e2b93b); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 2.5rem 1.5rem 4rem; color: var(--ink); background: var(--ground);
  font: 15px/1.5 system-ui, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 1rem; font-weight: 650; }
h2 { font-size: 1.35rem; margin: 3rem 0 .8rem; padding-top: 1.2rem; border-top: 2px solid var(--ink); }
h3 { font-size: 1.05rem; margin: 2rem 0 .2rem; }
summary { cursor: pointer; } summary h3 { display: inline-block; margin: 1.2rem 0 .2rem; }
.count { font-weight: 400; color: var(--soft); }
.meaning, .todo, .where, .more, .legend, .note { color: var(--soft); } .meaning { margin: 0 0 .5rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: .5rem; padding: 0;
  margin: 0 0 1rem; list-style: none; }
.tile { padding: .55rem .75rem; border: 1px solid var(--line); border-radius: 6px;
  color: var(--soft); font-size: .85rem; line-height: 1.3; }
.tile b { display: block; font-size: 1.35rem; color: var(--ink); font-variant-numeric: tabular-nums; }
.alert { border-color: #e3a592; background: light-dark(#fff6f3, #351f19); }
.alert b { color: var(--missed-ink); }
.legend { font-size: .85rem; } .legend mark { margin-left: .9em; } .legend mark:first-child { margin-left: 0; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line);
  overflow-wrap: anywhere; }
thead th { color: var(--soft); font-weight: 500; font-size: .8rem; vertical-align: bottom; overflow-wrap: normal; }
tbody th { font-weight: 600; }
.scroll { overflow-x: auto; }
.overview th[scope=row], .overview td { white-space: nowrap; }
.n { font-variant-numeric: tabular-nums; }
td i { color: var(--soft); font-style: normal; }
.replacements { margin-top: .4rem; }
.replacements td:last-child { width: 48%; }
.replacements th[scope=row] { min-width: 5rem; }
.findings { padding: 0; margin: 0; list-style: none; } .findings ol li { padding-left: 1rem; }
.findings > li { padding: .5rem 0; border-bottom: 1px solid var(--line); break-inside: avoid; }
.findings ol { padding: 0; margin: .2rem 0 0; list-style: none; font-size: .9rem; }
.label { color: var(--hidden-ink); font-size: .85em; white-space: nowrap; }
.where { font-size: .8rem; margin-right: .4em; white-space: nowrap; }
.where a { color: inherit; }
mark { border-radius: 3px; padding: 0 .12em; color: inherit; background: none; }
mark.hidden { background: var(--hidden); color: var(--hidden-ink); }
mark.missed { background: var(--missed); color: var(--missed-ink); font-weight: 600; }
mark.reworded { border-bottom: 2px dotted var(--changed); border-radius: 0; }
.par { position: relative; margin: .7rem 0 .7rem 3rem; white-space: pre-line;
  font: 1rem/1.6 Georgia, "Liberation Serif", "Times New Roman", serif; }
.par:target { outline: 2px solid var(--changed); outline-offset: .3rem; }
.num { position: absolute; left: -3rem; width: 2.3rem; text-align: right; color: var(--soft);
  font: .75rem/2.1 system-ui, "Liberation Sans", Arial, sans-serif; font-variant-numeric: tabular-nums; }
.alone { color: var(--soft); border-left: 3px solid var(--line); padding-left: .8rem; }
.note { display: block; font: .75rem/1.6 system-ui, "Liberation Sans", Arial, sans-serif; }
@media print {
  :root { color-scheme: light; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  mark, .alert { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  details::details-content { content-visibility: visible; display: block; }
  h2 { break-before: page; }
  h2, h3, .meaning, summary { break-after: avoid; }
  summary { list-style: none; }
  tr, .par { break-inside: avoid; }
}
"""
