"""The error report: every character of the text is there once, escaped, and coloured as it was judged."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

from hypothesis import given, settings
from hypothesis import strategies as st

from aef.corpus_tools.document import Document, Mention
from aef.evaluation.figures import evaluate
from aef.evaluation.tab_benchmark import tab_figures
from aef.reports.error_page import error_report

TEXT = "Mr Ann Lee <b> met Bo & co.\n\nRome Court said \"no\" to 'Ann'."


class Page(HTMLParser):
    """The rulings of a page, and its marks with class, text and attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.rulings: list[str] = []
        self.marks: list[tuple[str, str, dict[str, str | None]]] = []
        self.depth = 0
        self.in_mark = False
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.ids += [values["id"] or ""] if "id" in values else []
        self.links += [values["href"] or ""] if "href" in values else []
        if tag == "div" and values.get("class") == "ruling":
            self.rulings.append("")
            self.depth = 1
        if tag == "mark" and self.depth:
            self.marks.append((values["class"] or "", "", values))
            self.in_mark = True

    def handle_endtag(self, tag: str) -> None:
        self.depth -= tag == "div" and self.depth > 0
        self.in_mark &= tag != "mark"

    def handle_data(self, data: str) -> None:
        if self.depth:
            self.rulings[-1] += data
        if self.in_mark and self.depth:
            kind, text, values = self.marks[-1]
            self.marks[-1] = kind, text + data, values


def mention(piece: str, kind: str | None = "PERSON", identifier: str = "DIRECT", last: bool = False) -> Mention:
    start = TEXT.rindex(piece) if last else TEXT.index(piece)
    return Mention(start, start + len(piece), kind, identifier, None, None if identifier != "DIRECT" else 0.5)


GOLD = Document.from_text(
    TEXT, "<d>", [mention("Mr Ann Lee"), mention("Bo & co", "ORG"), mention("Rome Court", "ORG", "NO_MASK")]
)
FOUND = GOLD.with_mentions([mention("Ann"), mention("Bo & co", "ORG"), mention("Rome", "LOC")])
CLEAN = Document.from_text("Ann slept.", "clean", [Mention(0, 3, "PERSON", "DIRECT")])


def report(*pairs: tuple[Document, Document]) -> str:
    gold, found = [g for g, _ in pairs], [f for _, f in pairs]
    return error_report(evaluate(gold, found, "all", bootstrap=0), "<model>", tab_figures(gold, found))


def test_marks() -> None:
    page = Page(report((CLEAN, CLEAN), (GOLD, FOUND)))
    assert page.rulings == [TEXT, CLEAN.text], "the worst first"
    assert [(kind, text) for kind, text, _ in page.marks] == [
        ("hit", "Ann"),
        ("miss", "Lee"),
        ("hit", "Bo & co"),
        ("wrong", "Rome"),
        ("hit", "Ann"),
    ]
    titles = [values["title"] for _, _, values in page.marks]
    assert titles[1] == "missed\ngold: PERSON, DIRECT"
    assert titles[3] == "hidden wrongly\ngold: ORG, NO_MASK, stays in clear\nsystem: LOC, probability 0.50"
    assert [values.get("data-type") for _, _, values in page.marks] == ["PERSON", "PERSON", "ORG", "LOC", "PERSON"]


def test_it_warns_loads_nothing_and_escapes() -> None:
    html = report((GOLD, FOUND))
    assert "<title>Error report (confidential)</title>" in html
    assert "<b>Confidential.</b>" in html
    assert not re.search(r"(src|href)\s*=\s*['\"]?(https?:|//)|url\(|@import", html)
    assert "<b> met" not in html and "&lt;b&gt; met" in html
    assert "<model>" not in html and "&lt;model&gt;" in html
    assert "<d>" not in html


def test_the_policy_allows_this_script_only() -> None:
    html = report((GOLD, FOUND))
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    assert f"script-src 'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" in html
    assert "default-src 'none'" in html


def test_links_lead_somewhere() -> None:
    two = Document.from_text(TEXT, "two", GOLD.mentions)
    page = Page(report((GOLD, FOUND), (two, two.with_mentions([])), (CLEAN, CLEAN)))
    assert len(page.ids) == len(set(page.ids))
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    misses = [values["id"] for kind, _, values in page.marks if kind == "miss"]
    assert misses == [f"m{i}" for i in range(len(misses))]
    assert len(misses) == 3
    assert {f"#{miss}" for miss in misses} <= set(page.links), "each miss can be reached"


def test_what_no_page_can_hold_is_replaced() -> None:
    odd = Document.from_text("Ann\x00 \ud800 \x1b[0m Bo", "odd", [Mention(0, 3, "PERSON", "DIRECT")])
    html = report((odd, odd))
    html.encode("utf-8")
    assert Page(html).rulings == ["Ann\ufffd \ufffd \ufffd[0m Bo"]


places = st.lists(st.tuples(st.integers(0, 30), st.integers(1, 9)), max_size=4)


@settings(deadline=None, max_examples=60)
@given(st.text("ab <>&'\"\n.é", min_size=1, max_size=30), places, places)
def test_every_character_once_and_every_judged_token_marked(
    text: str, gold: list[tuple[int, int]], found: list[tuple[int, int]]
) -> None:
    sides = [
        Document.from_text(
            text, "d", [Mention(s, min(s + n, len(text)), "PERSON", "DIRECT") for s, n in side if s < len(text)]
        )
        for side in (gold, found)
    ]
    result = evaluate([sides[0]], [sides[1]], "all", bootstrap=0)
    page = Page(error_report(result, ""))
    assert page.rulings == [text]
    words = dict.fromkeys(("hit", "miss", "wrong"), 0)
    for kind, inside, _ in page.marks:
        words[kind] += len(re.findall(r"\w+", inside))
    assert words == {"hit": result.counts["tp"], "miss": result.counts["fn"], "wrong": result.counts["fp"]}
