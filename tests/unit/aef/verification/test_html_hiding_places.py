"""One invented surname in every place of an HTML file: none is left, by a check that shares no code with the writer."""

from __future__ import annotations

import base64
import html
import re
import unicodedata
from pathlib import Path
from urllib.parse import unquote

from aef.anonymization import anonymize

PIXEL = base64.b64encode(b"\x89PNG\r\n\x1a\n\0\0\0\x19tEXtAuthor\0Zwetkow\0\0\0\0").decode()
PLACES = {
    "title": "<title>Zwetkow v. Roe</title>",
    "description": '<meta name="description" content="The case of Zwetkow">',
    "keywords": '<meta name="keywords" content="zwetkow, custody">',
    "author": '<meta name="author" content="Zwetkow">',
    "property": '<meta property="og:title" content="Zwetkow v. Roe">',
    "address of the page": '<meta property="og:url" content="https://x.example/zwetkow-v-roe">',
    "canonical link": '<link rel="canonical" href="/zwetkow-v-roe.html">',
    "base": '<base href="https://x.example/zwetkow/">',
    "comment": "<!-- Zwetkow -->",
    "conditional comment": "<!--[if gte mso 9]><xml><o:Author>Zwetkow</o:Author></xml><![endif]-->",
    "processing instruction": "<?note Zwetkow?>",
    "script": '<script>var party = "Zwetkow"</script>',
    "data for search engines": '<script type="application/ld+json">{"name": "Zwetkow"}</script>',
    "style sheet's comment": "<style>p { color: red } /* Zwetkow */</style>",
    "style sheet's text": "<style>p:before { content: 'Zwetkow' }</style>",
    "style sheet's class": "<style>.zwetkow { color: red }</style>",
    "text": "<p>Ms. Zwetkow left.</p>",
    "half of it bold": "<p>Zwet<b>kow</b></p>",
    "every letter apart": "<p>" + "".join(f"<span>{c}</span>" for c in "Zwetkow") + "</p>",
    "references": "<p>&#90;&#x77;etkow</p>",
    "soft hyphens": "<p>Zwet&shy;kow, Zwet\u00adkow</p>",
    "zero width": "<p>Zwet&#8203;kow, Zwet\u200bkow, Zwe&zwnj;tkow</p>",
    "break opportunity": "<p>Zwet<wbr>kow</p>",
    "a comment in it": "<p>Zwet<!-- x -->kow</p>",
    "capitals": "<p>ZWETKOW</p>",
    "small letters": "<p>zwetkow</p>",
    "accents composed": "<p>Zwétkow</p>",
    "accents decomposed": "<p>Zwe\u0301tkow</p>",
    "possessive": "<p>Zwetkow's and Zwetkow’s</p>",
    "table": "<table><caption>Zwetkow</caption><tr><th>Zwetkow<td>Zwetkow</table>",
    "summary of a table": '<table summary="Zwetkow"><tr><td>x</table>',
    "abbreviation": '<table><tr><th abbr="Zwetkow">Z.</table>',
    "list": "<ul><li>Zwetkow</ul><dl><dt>Zwetkow<dd>Zwetkow</dl>",
    "text as written": "<pre>Zwetkow\n  Zwetkow</pre>",
    "field": '<input type="text" value="Zwetkow" placeholder="Zwetkow"><textarea>Zwetkow</textarea>',
    "choice": '<select><optgroup label="Zwetkow"><option value="zwetkow" label="Zwetkow">Zwetkow</select>',
    "picture": '<img src="zwetkow.png" srcset="zwetkow2.png 2x" alt="Zwetkow" title="Zwetkow" longdesc="zwetkow.txt">',
    "embedded picture": f'<img src="data:image/png;base64,{PIXEL}">',
    "link": '<a href="/search?q=Zwetkow" title="Zwetkow">her</a>',
    "link in escapes": '<a href="/%5Awetkow">her</a>',
    "link in references": '<a href="/&#90;wetkow">her</a>',
    "mail": '<a href="mailto:anna@zwetkow.example?subject=x">write</a>',
    "place in the page": '<a name="zwetkow"></a><p id="zwetkow-1">x</p><a href="#zwetkow-1">x</a>',
    "class": '<p class="party zwetkow">x</p>',
    "data": '<p data-party="Zwetkow" data-zwetkow="1">x</p>',
    "event": "<p onclick=\"alert('Zwetkow')\">x</p>",
    "style": "<p style=\"background: url('zwetkow.png')\">x</p>",
    "attribute without quotes": "<p title=Zwetkow>x</p>",
    "attribute of an end tag": '<b>x</b title="Zwetkow">',
    "twice one attribute": '<p title="x" title="Zwetkow">x</p>',
    "label for listeners": '<p aria-label="Zwetkow">x</p>',
    "frame": '<iframe src="zwetkow.html" srcdoc="Zwetkow">Zwetkow</iframe>',
    "object": '<object data="zwetkow.pdf"><param name="x" value="Zwetkow">Zwetkow</object><embed src="zwetkow.pdf">',
    "without scripts": "<noscript>Zwetkow</noscript>",
    "template": "<template><p>Zwetkow</template>",
    "details": "<details><summary>Zwetkow</summary>Zwetkow</details>",
    "drawing": "<svg><title>Zwetkow</title><desc>Zwetkow</desc><text x='1'>Zwet<tspan>kow</tspan></text></svg>",
    "formula": "<math><mi>Zwetkow</mi></math>",
    "reading above": "<ruby>Zwetkow<rt>Zwetkow</rt></ruby>",
    "quotation": '<blockquote cite="/zwetkow">Zwetkow</blockquote><del cite="/zwetkow">Zwetkow</del>',
    "hidden text": '<p hidden>Zwetkow</p><p style="display:none">Zwetkow</p>',
    "microdata": '<p itemprop="name" content="Zwetkow" itemid="urn:zwetkow">x</p>',
    "form": '<form action="/zwetkow" name="zwetkow"><button value="zwetkow">Zwetkow</button></form>',
    "file to download": '<a download="zwetkow.docx" href="x">x</a>',
}


def found_in(page: str) -> list[str]:
    """Where the name can still be read: references resolved, escapes too, with tags and without, all folded."""
    pictures = [base64.b64decode(m).decode("latin-1") for m in re.findall(r"base64,([\w+/=]+)", page)]
    views = {
        "as it is": page,
        "decoded": html.unescape(page),
        "without tags": html.unescape(re.sub(r"<[^>]*>", "", page)),
        "without escapes": unquote(html.unescape(page)),
        "pictures": "".join(pictures),
    }
    return [view for view, text in views.items() if "zwetkow" in folded(text)]


def folded(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text)
    return "".join(c for c in plain if unicodedata.category(c) not in ("Mn", "Cf")).casefold()


def anonymized(folder: Path, content: str) -> str:
    (folder / "page.html").write_text(content, encoding="utf-8")
    result = anonymize(folder / "page.html", folder / "safe.html", mentions=[], include=["Zwetkow"], force=True)
    assert result.written, result.remaining
    return (folder / "safe.html").read_text(encoding="utf-8")


def test_the_check_finds_the_name_everywhere() -> None:
    assert [place for place, content in PLACES.items() if not found_in(content)] == []


def test_every_place_at_once(tmp_path: Path) -> None:
    places = "".join(f"<div>{content}</div>" for content in PLACES.values())
    page = f"<!DOCTYPE html><html><body>{places}<p>The end.</p></body></html>"
    clean = anonymized(tmp_path, page)
    assert found_in(clean) == []
    assert clean.endswith("<p>The end.</p></body></html>")


def test_every_place_by_itself(tmp_path: Path) -> None:
    left = {
        place: found for place, content in PLACES.items() if (found := found_in(anonymized(tmp_path, content + "<p>x")))
    }
    assert left == {}
