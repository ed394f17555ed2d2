"""The study as one page of HTML that needs nothing else: plots and style are inside."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from aef.learning.study import findings, thesis
from aef.reports import page as html_page
from aef.reports.page import Column, Row, count, figure, spaced, words

Tables = Mapping[str, list[Row]]


# --- tables ---------------------------------------------------------------------------------------------------------


def plain(heading: str, key: str) -> Column:
    """A coefficient."""
    return Column(heading, lambda row: "–" if row[key] is None else _number(row[key], ""))


def signed(heading: str, key: str) -> Column:
    """A difference in points of percent."""
    return Column(heading, lambda row: "–" if row[key] is None else _number(100 * row[key], "+"))


def _number(value: float, sign: str) -> str:
    """With a minus sign, not a hyphen, and no sign before zero."""
    return f"{round(value, 2):{sign}.2f}".replace("-", "−") if round(value, 2) else "0.00"


def table(columns: Sequence[Column], rows: Sequence[Row], marked: Callable[[Row], bool] = lambda row: False) -> str:
    """An HTML table; rows ``marked`` stand out."""
    return html_page.table(columns, rows, marked, _groups(columns))


def _groups(columns: Sequence[Column]) -> str:
    """A line over the headings where some columns are of another corpus."""
    others = sum(c.other for c in columns)
    if others < 2:
        return ""
    own = f"<th class=group colspan={len(columns) - others}>this corpus</th>"
    return f"<tr>{own}<th class='group other' colspan={others}>the thesis, another corpus</th></tr>"


MEASURES = (
    figure("P", "precision"),
    figure("R", "recall"),
    figure("F1", "f1"),
    figure("F2", "f2"),
    figure("3PR/(2P+R)", "f2_thesis"),
)


# --- sections -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Section:
    """A part of the page: what was done, plots (name, alternative text, what one sees), and tables in HTML."""

    title: str
    lead: str
    pictures: Sequence[tuple[str, str, str]]
    tables: str
    source: str


def sections(tables: Tables) -> list[Section]:
    return [_iterations(tables), _single(tables), _selection(tables), _features(tables), _systems(tables)]


def _iterations(tables: Tables) -> Section:
    names = {"nine": "the nine", "all": "all"}
    solvers = {"gis": "GIS", "newton-cg": "default (newton-cg)"}
    rows = [r | {"set": names[r["features"]], "by": solvers[r["solver"]]} for r in tables["iterations"]]
    columns = [words("features", "set"), words("solver", "by"), count("iterations", "iterations")]
    return Section(
        "Error against iterations",
        "GIS, the thesis’s learning algorithm, improves its weights a little in each iteration and in the end fits the "
        "training documents too closely. The thesis stops it after 50 iterations, where its error began to rise "
        "(Figure 3.3, a graph without printed figures). The default solver has an L2 penalty instead and runs until "
        "it has converged.",
        [("iterations", "Wrong tokens and F2 against the iterations of GIS", findings.iterations(tables))],
        _folded("All figures", table([*columns, figure("wrong tokens", "error"), *MEASURES], rows)),
        "thesis, Figure 3.3",
    )


def _single(tables: Tables) -> Section:
    return Section(
        "Each feature alone",
        "A model is learned from one feature at a time. In the thesis the word before (W-1, SW-1) does best, and C4, "
        "a title before a capitalized word, is a good single feature.",
        [("single", "Precision, recall and F2 of each single feature", findings.single(tables))],
        _folded("All figures", table([words("feature", "feature"), *MEASURES], tables["single"])),
        "thesis, Figure 3.4",
    )


def _selection(tables: Tables) -> Section:
    pictures = [
        ("selection", "F1, F2, precision and recall against the number of features", findings.selection(tables))
    ]
    if "second_step" in tables:
        pictures.append(("next_steps", "The candidates of the second and third step", findings.next_steps(tables)))
    steps = [words("step", "step"), words("action", "action"), words("feature", "feature"), count("size", "size")]
    return Section(
        "The selection",
        "Sequential forward floating selection adds the feature that raises the mean F2 of the folds most, then takes "
        "features back as long as that beats the best set of the smaller size. The set is chosen on the same "
        "documents it is judged on, here as in the thesis, so its figures are a little flattering.",
        pictures,
        f"<h3>The best set of each size</h3><p>{OWN_SETS}</p>"
        + _own_sets(tables)
        + f"<h3>The thesis’s sets: its Table 3.7</h3><p>{TABLE_3_7}</p>"
        + _their_sets(tables)
        + _folded("Every step of the search", table([*steps, *MEASURES], tables["steps"])),
        "thesis, Figures 3.5 and 3.6, Table 3.7",
    )


OWN_SETS = (
    "The best set found of each size, told by what came into and what went from the set above it. The marked row is "
    "the smallest with the highest F2: the selected set."
)
TABLE_3_7 = (
    "Each row adds its feature to those above; the marked row is the set the thesis chooses. On the left the same sets "
    "learned and judged on this corpus. What the thesis prints as F2 is 3PR/(2P+R); its column “F2 from P, R” is "
    "5PR/(4P+R) of the precision and recall it prints."
)


def _own_sets(tables: Tables) -> str:
    columns = [count("size", "size"), words("came in", "came"), words("went", "went"), *MEASURES]
    return table(columns, tables["selected"], lambda row: bool(row["chosen"]))


def _their_sets(tables: Tables) -> str:
    ours = {row["size"]: row for row in tables["thesis_sets"]}
    rows = [
        {**{f"their_{k}": v for k, v in row.items()}, **ours.get(row["size"], {})} for row in tables["thesis_selection"]
    ]
    columns = [
        count("size", "their_size"),
        words("added", "their_feature"),
        *(Column(c.heading, lambda row, c=c: c.show(row)) for c in MEASURES),  # type: ignore[misc]
        figure("P", "their_precision", True),
        figure("R", "their_recall", True),
        figure("F1", "their_f1", True),
        figure("F2 from P, R", "their_true_f2", True),
        figure("F2 as printed", "their_f2_thesis", True),
    ]
    return table(columns, rows, lambda row: row["their_size"] == thesis.CHOSEN)


def _features(tables: Tables) -> Section:
    columns = [
        words("feature", "feature"),
        count("active tokens", "active"),
        figure("% of tokens", "coverage"),
        figure("% of these hidden", "share_hidden", digits=1),
        figure("% of hidden covered", "hidden_covered", digits=1),
        plain("phi with A", "phi_label"),
        Column("closest feature", lambda row: row["partner"] or "–", text=True),
        plain("phi with it", "phi_partner"),
        signed("gain, points", "gain"),
        signed("loss, points", "loss"),
    ]
    return Section(
        "What each feature contributes",
        "Where a feature is active, which other features are active on the same tokens (phi: 1 always together, "
        "0 unrelated, −1 one exactly where the other is not), what it adds to the F2 of the nine, and what the F2 of "
        "all features loses without it (a negative loss: all do better without). Features that look at labels are "
        "shown with the gold labels, and scored with predicted ones.",
        [
            ("contributions", "Gain and loss of F2 for each feature", findings.contributions(tables)),
            ("correlations", "Phi coefficients of all pairs of features", findings.correlations(tables)),
        ],
        table(columns, tables["features"]),
        "thesis, sections 3.1 and 3.5",
    )


def _systems(tables: Tables) -> Section:
    columns = [
        words("documents", "scope"),
        words("system", "system"),
        Column("distinct found", lambda row: f"{spaced(row['distinct_found'])} of {spaced(row['distinct'])}"),
        Column("occurrences found", lambda row: f"{spaced(row['occurrences_found'])} of {spaced(row['occurrences'])}"),
        count("once counts", "occurrences_once"),
        count("wrong, distinct", "wrong_distinct"),
        count("wrong, all", "wrong_occurrences"),
        *MEASURES,
    ]
    theirs = [c for c in columns if c.heading != "once counts"]
    return Section(
        "AEF against NOME",
        "The thesis’s two criteria: how many distinct terms to hide are found, with how many occurrences, and how many "
        "wrong terms are listed. A term is what an annotator marked; it is found when tagged once in its document, an "
        "occurrence when it is tagged itself, or, under “once counts”, when its words are tagged anywhere in the "
        "document. Precision and recall are of occurrences. “AEF, the nine” is the thesis’s finder: nine features, "
        "50 iterations of GIS, the more probable label; “consistent”: what it finds once is hidden in the whole "
        "document; “selected set”: the set chosen above, with the default solver. The named documents are tagged by "
        "systems that learned from all the others.",
        [("systems", "Occurrences found and wrong, by system and documents", findings.systems(tables))],
        table(columns, _without_repeats(tables["systems"]))
        + "<h3>The thesis’s two documents</h3><p>Another corpus: two family-law rulings. The counts are printed in its "
        "Tables 3.9 to 3.13; the figures follow from them, and for AEF agree with those it prints "
        "(Tables 3.11 and 3.14). Distinct terms are names, occurrences include the parts of birth dates.</p>"
        + f"<div class=theirs>{table(theirs, _without_repeats(tables['thesis_systems']))}</div>",
        "thesis, section 3.6, Tables 3.9 to 3.14",
    )


def _without_repeats(rows: Sequence[Row]) -> list[Row]:
    """The rows with the scope named on its first row only."""
    scopes = [None, *(row["scope"] for row in rows)]
    return [r | {"scope": "" if r["scope"] == before else r["scope"]} for r, before in zip(rows, scopes, strict=False)]


def _folded(title: str, content: str) -> str:
    return f"<details><summary>{escape(title)}</summary>{content}</details>"


# --- the page -------------------------------------------------------------------------------------------------------


def page(record: Mapping[str, Any], pictures: Mapping[str, bytes]) -> str:
    """The whole page. ``pictures``: SVG by name."""
    parts = sections(record["tables"])
    body = "\n".join(_section(number, part, pictures) for number, part in enumerate(parts, 1))
    points = "".join(f"<li>{escape(sentence)}</li>" for sentence in findings.summary(record["tables"]))
    contents = "".join(f"<li><a href='#part{i}'>{escape(part.title)}</a></li>" for i, part in enumerate(parts, 1))
    return html_page.page(
        "The AEF study",
        "<h1>The experiments of the AEF thesis, on this corpus</h1>\n"
        f"{_corpus(record['plan'])}<section class=short><h2>In short</h2><ul>{points}</ul></section>\n"
        f"<nav><ol>{contents}</ol></nav>\n{body}\n{_method(record)}",
        CSS,
    )


def _section(number: int, part: Section, pictures: Mapping[str, bytes]) -> str:
    images = "".join(_picture(pictures[name], alt, seen) for name, alt, seen in part.pictures)
    return (
        f"<section id=part{number}><h2>{number}. {escape(part.title)} <small>{escape(part.source)}</small></h2>"
        f"<p>{escape(part.lead)}</p>{images}{part.tables}</section>"
    )


def _picture(svg: bytes, alt: str, seen: str) -> str:
    data = base64.b64encode(svg).decode("ascii")
    image = f"<img alt='{escape(alt)}' src='data:image/svg+xml;base64,{data}'>"
    return f"<figure>{image}<figcaption><b>{escape(alt)}.</b> {escape(seen)}</figcaption></figure>\n"


def _corpus(plan: Mapping[str, Any]) -> str:
    other = thesis.CORPUS
    rows = [
        {"what": what, "here": plan[key], "there": other[key]}
        for what, key in (("documents", "documents"), ("tokens", "tokens"), ("tokens to hide", "tokens_to_hide"))
    ]
    columns = [words("", "what"), count("this corpus", "here"), count("the thesis, another corpus", "there", True)]
    hidden = "names of persons" if plan["target"] == "person" else "everything marked as to hide"
    return (
        f"<p>Target: {hidden}. {len(plan['features'])} features, {plan['folds']} folds of documents "
        f"(seed {plan['seed']}); "
        "figures are percentages and means over the folds unless said otherwise. Figures on this tint are the "
        "<span class=other>thesis’s own, of another corpus</span>: compare their order and shape, not their height."
        f"</p>{table(columns, rows)}"
    )


def _method(record: Mapping[str, Any]) -> str:
    return (
        "<section><h2>How the figures are made</h2><ul>"
        "<li>P is precision, R recall, both of tokens to hide (in part 5, of occurrences of terms); "
        "F1 = 2PR/(P+R), F2 = 5PR/(4P+R). The thesis’s tables print 3PR/(2P+R) under the name of F2.</li>"
        "<li>Every document is judged by models that have not seen it; features that look at labels see predicted "
        "ones. The means over folds of F1 and F2 need not be F1 and F2 of the mean P and R.</li>"
        "<li>Parts 2 to 4 learn with an L2 penalty (C = 1), part 1 and the selected set in part 5 with the one "
        "of <code>aef train</code> (C = 3).</li>"
        f"<li>aef {escape(record['version'])}. All tables are in <code>tables/</code> (CSV) and "
        "<code>study.json</code>, as fractions; the plots in <code>plots/</code> (PNG, SVG). "
        "The same corpus and seed give the same figures.</li></ul></section>\n"
    )


CSS = """
.short { background: var(--panel); border-left: 4px solid #0072b2; padding: .2rem 1rem; margin: 1.5rem 0; }
.short h2 { margin-top: .6rem; }
figure { margin: 1.2rem 0; break-inside: avoid; } figure img { max-width: 100%; height: auto; display: block; }
figcaption { color: var(--soft); font-size: .93rem; max-width: 46rem; margin-top: .4rem; }
th.group { text-align: center; border-bottom: 1px solid var(--line); color: var(--soft); font-weight: normal; }
.other, .theirs table { background: var(--other); } span.other { padding: 0 .25rem; }
"""
