"""What a published page may link to, load and do."""

from __future__ import annotations

import pytest

from aef.corpus_tools.html.beside import scrubbed
from aef.corpus_tools.name_search.hidden_names import HiddenNames

GONE = [
    ('<a href="java&#9;script:alert(1)">x</a>', "script", "a tab within the scheme"),
    ('<a href="java\nscript:alert(1)">x</a>', "script", "a line end within it"),
    ('<a href="&#1; javascript:alert(1)">x</a>', "script", "signs before it"),
    ('<a href="JaVaScRiPt&colon;alert(1)">x</a>', "alert", "a named colon"),
    ('<a href="view-source:x">x</a>', "view-source", "a scheme that nobody listed as bad"),
    ('<a href="mailto:x@example.org">x</a>', "mailto", "an address of mail"),
    ('<form action="x"><button formaction="https://e.org">x</button></form>', "formaction", "a form sent elsewhere"),
    ('<meta http-equiv="refresh" content="0;url=https://e.org">', "e.org", "going elsewhere by itself"),
    ('<meta http-equiv=" Refresh " name="robots" content="0;url=https://e.org">', "e.org", "the same with a name"),
    ('<base href="https://e.org/">', "base", "where relative links go"),
    ('<link rel="stylesheet" href="https://e.org/a.css">', "e.org", "a foreign style sheet"),
    ('<link rel="stylesheet" href="//e.org/a.css">', "e.org", "the same by the page's scheme"),
    ('<img src="https://e.org/a.png">', "e.org", "a foreign picture"),
    ('<img src="\\\\e.org/a.png">', "e.org", "strokes the other way"),
    ('<img srcset="a.png 1x, //e.org/b.png 2x">', "e.org", "one of several"),
    ('<td background="http://e.org/a.png">x</td>', "e.org", "a foreign background"),
    ("<style>p { background: url( 'https://e.org/a.png') }</style>", "e.org", "one of a style sheet"),
    ("<style>@import 'https://e.org/a.css';</style>", "e.org", "a style sheet of one"),
    ('<p style="background: u\\72l(//e.org)">x</p>', "e.org", "escapes"),
    ('<svg><a><animate attributeName="href" values="javascript:f()"/></a></svg>', "javascript", "a link that changes"),
]


@pytest.mark.parametrize(("source", "gone", "reason"), GONE, ids=[g[2] for g in GONE])
def test_what_goes(source: str, gone: str, reason: str) -> None:
    assert gone not in scrubbed(source, "x.html", HiddenNames({})), reason


KEPT = [
    ('<a href="https://example.org/a?b=1#c">x</a>', "a link"),
    ('<a href="#p1">x</a>', "a paragraph"),
    ('<a href="other.html">x</a>', "another page of the court"),
    ('<img src="seal.png">', "a picture beside the page"),
    ('<img src="data:image/png;base64,AAAA">', "a picture in the page"),
    ('<link rel="stylesheet" href="court.css">', "the court's style sheet"),
    ('<meta http-equiv="Content-Type" content="text/html; charset=utf-8">', "how it is written"),
    ("<style>p { color: red }</style>", "a style"),
]


@pytest.mark.parametrize(("source", "reason"), KEPT, ids=[k[1] for k in KEPT])
def test_what_stays(source: str, reason: str) -> None:
    assert scrubbed(source, "x.html", HiddenNames({})) == source, reason
