"""The editor's page in a real browser, by the keyboard alone: the whole way of a newcomer, and a ruling full of markup.

Needs Chromium and Playwright (``pip install '.[browser]'``); skipped, with the reason said, where one is missing.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aef.editing.lists import KEYS

TEXT = """IN THE FAMILY COURT

Between: Margaret Ellen Ashcombe, Applicant, and Thomas Ashcombe, Respondent

1. Mrs Ashcombe says <script>alert("1")</script> & <img src=x onerror=alert(2)> of the child, Lily Ashcombe.

2. Lily, whom her father calls Lulu, lives at 14 Willow Lane, Harrowgate Cross, and is fond of the tithe barn.

3. Mr Ashcombe relied on his brother Edwin Ashcombe. Dr Susan Oakley, a psychologist, gave evidence for FD21P00734.

4. On 3 May 2012 Oona Birtwhistle met Mr Penhallow and his sister Morwenna in Netherby. Quill & Sons of Barton wrote
to Demelza Trewin on 4 May 2012, and to Jory Nance, Tamsin Rowe, Piran Hext and Kerensa Bray. The file is 33/2012.
"""
_CODE = "import sys; from aef.commands import main; sys.exit(main(sys.argv[1:]))"


class Window:
    """A window of the browser on ``aef edit``, and what went wrong in it."""

    def __init__(self, browser: Any, ruling: Path) -> None:
        command = [sys.executable, "-c", _CODE, "edit", "--no-browser", str(ruling)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout is not None
        self.page = browser.new_page(viewport={"width": 1200, "height": 800})
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("dialog", lambda dialog: self.wrong.append(dialog.message))
        self.page.goto(self.process.stdout.readline().strip())
        self.page.wait_for_selector(".who")

    def key(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def told(self, key: str) -> str:
        """The message that follows a key."""
        self.page.evaluate("document.getElementById('message').textContent = ''")
        self.key(key)
        self.page.wait_for_selector("#message:not(:empty)")
        return str(self.page.inner_text("#message"))

    def answered(self) -> str:
        """The message that follows the first reply to a question, or that all of a list is right."""
        listed = self.page.query_selector(".listed")
        return self.told("y" if listed else self.page.inner_text("#question kbd"))

    def tab_to(self, selector: str) -> None:
        for _ in range(300):
            self.key("Tab")
            if self.page.evaluate("s => document.activeElement.matches(s)", selector):
                return
        raise AssertionError(f"Tab does not reach {selector}")

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture
def ruling(tmp_path: Path) -> Path:
    path = tmp_path / "ruling.txt"
    path.write_text(TEXT, "utf-8")
    return path


@pytest.fixture
def window(browser: Any, ruling: Path) -> Iterator[Window]:
    made = Window(browser, ruling)
    yield made
    made.end()


def test_the_way_of_a_newcomer_by_the_keyboard_alone(window: Window, ruling: Path, browser: Any) -> None:
    page = window.page
    assert page.url.endswith("/") and "key" not in page.url
    for _ in range(5):
        before = page.inner_text("#question")
        assert "saved" in window.answered()
        assert page.inner_text("#question") != before
    marked(window, "tithe barn")
    assert "tithe barn" not in page.inner_text("#text")
    joined(window, "Thomas Ashcombe", "Edwin Ashcombe")
    window.told("u")
    window.told("r")
    window.end()  # killed in the middle
    assert "has ended" in window.told("u")
    again = Window(browser, ruling)
    assert "tithe barn" not in again.page.inner_text("#text")
    again.key("f")
    again.key("Enter")
    again.page.wait_for_selector("#dialog-body a")
    with again.page.expect_download() as download:
        again.tab_to("#dialog-body a")
        again.key("Enter")
    safe = Path(download.value.path()).read_text("utf-8")
    assert not [name for name in ("Ashcombe", "Lily", "Lulu", "tithe barn") if name in safe]
    again.end()
    assert window.wrong == again.wrong == []


def marked(window: Window, words: str) -> None:
    window.key("m")
    window.page.keyboard.type(words)
    window.key("Enter")
    window.page.wait_for_selector("#dialog select")
    window.tab_to("#dialog-row button")
    window.told("Enter")


def joined(window: Window, one: str, other: str) -> None:
    for name in (one, other):
        window.tab_to(f'input[aria-label="choose {name}"]')
        window.key("Space")
    window.told("j")
    names = "[...document.querySelectorAll('.who')].map(w => w.innerText)"
    assert [row for row in window.page.evaluate(names) if one in row and other in row]


def test_a_list_is_answered_by_the_keys_of_its_lines_and_one_more(window: Window) -> None:
    page = window.page
    for _ in range(10):
        if page.query_selector(".listed"):
            break
        window.key("k")
    replies = "[...document.querySelectorAll('.listed .badge')].map(b => b.innerText)"
    proposed = page.evaluate(replies)
    turned = [page.evaluate(replies)[0]]
    while len(turned) < 2 or turned[-1] != turned[0]:
        window.key("1")
        turned.append(page.evaluate(replies)[0])
    window.key("Shift+1")
    assert page.evaluate(replies)[0] == turned[2], "Shift takes two steps"
    window.key(*["1"] * (len(turned) - 2))
    changed = page.evaluate(replies)
    assert changed[0] != proposed[0] and changed[1:] == proposed[1:]
    assert page.inner_text("#question [role=status]").endswith(" 1 changed.")
    given = page.evaluate("[...document.querySelectorAll('.listed kbd')].map(k => k.innerText)")
    assert given == list(KEYS)[: len(proposed)]
    window.tab_to(".listed li:nth-child(2) button")
    window.key("Enter")
    assert page.evaluate(replies)[1] != proposed[1]
    assert page.evaluate("document.activeElement.matches('.listed li:nth-child(2) button')"), "the focus stays there"
    asked = page.inner_text("#question")
    assert "saved" in window.told("y")
    assert page.inner_text("#question") != asked
    window.told("u")
    assert page.evaluate(replies) == proposed, "undone as a whole, and proposed anew"
    assert window.wrong == []


def test_keys_that_come_before_the_last_answer_is_decided_are_taken_in_their_order(window: Window) -> None:
    page = window.page
    asked = []
    page.route("**/tell", lambda route: (page.wait_for_timeout(300), route.continue_()))
    for _ in range(3):
        asked.append(page.inner_text("#question"))
        window.key("y" if page.query_selector(".listed") else page.inner_text("#question kbd"))
    assert len(set(asked)) == 3, "what is next is asked at once"
    page.wait_for_function("() => document.getElementById('text').dataset.version === '3'")
    for version in "456":
        window.told("u")
        page.wait_for_function("v => document.getElementById('text').dataset.version === v", arg=version)
    assert page.is_disabled("#undo") and page.inner_text("#question") == asked[0]
    assert window.wrong == []


def test_who_somebody_is_and_is_called_by_the_keyboard_alone(window: Window) -> None:
    page = window.page
    window.tab_to('button[aria-label="more on Edwin Ashcombe"]')
    window.key("Enter")
    window.tab_to('#dialog input[aria-label="Label"]')
    window.key("Control+a")
    page.keyboard.type("the uncle")
    assert "changed" in window.told("Enter")
    assert "his brother the uncle" in page.inner_text("#text")
    window.tab_to('button[aria-label="more on Susan Oakley"]')
    window.key("Enter")
    window.tab_to('#dialog select[aria-label="Role"]')
    page.select_option('#dialog select[aria-label="Role"]', "witness")
    window.tab_to("#dialog-body button")
    assert "changed" in window.told("Enter")
    assert "Oakley" not in page.inner_text("#text")
    window.told("u")
    assert "Oakley" in page.inner_text("#text")
    assert window.wrong == []


def test_the_slider_says_what_it_would_change_and_does_it_as_one_step(window: Window) -> None:
    page = window.page
    before = page.inner_text("#text")
    page.evaluate("document.getElementById('sure').open = true")
    page.fill("#slider", "99")
    assert ", 0 would be shown" not in page.inner_text("#sure-count")
    shown = len(page.query_selector_all("#text mark.shown"))
    page.click("#sure-show")
    page.wait_for_function("n => document.querySelectorAll('#text mark.shown').length > n", arg=shown)
    assert page.is_disabled("#sure-show"), "nothing is left that is less sure"
    window.told("u")
    assert page.inner_text("#text") == before
    assert window.wrong == []


def test_the_page_speaks_three_languages(window: Window) -> None:
    page = window.page
    for code, title in (("fr", "Question suivante"), ("es", "Siguiente pregunta"), ("en", "Next question")):
        page.select_option("#language", code)
        page.wait_for_function("t => document.getElementById('queue-title').textContent === t", arg=title)
        assert page.evaluate("document.documentElement.lang") == code
    assert window.wrong == []


def test_a_page_of_the_court_reads_as_it_does(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "ruling.html"
    path.write_text(
        "<h1>JUDGMENT</h1><p>Between <b>Margaret Ellen Ashcombe</b>, Applicant, and Thomas Ashcombe</p><ol><li>She "
        "says <i>&lt;b&gt;nothing&lt;/b&gt;</i>.<li>He agrees.</ol><table><tr><td>Applicant<td>Mrs Ashcombe</table>"
        "<footer>Page 1</footer>",
        "utf-8",
    )
    made = Window(browser, path)
    try:
        text = made.page.query_selector("#text")
        assert text.query_selector("h3").inner_text() == "JUDGMENT"
        assert text.query_selector(".i").inner_text() == "<b>nothing</b>"
        assert [n.inner_text().strip() for n in text.query_selector_all(".number")] == ["1.", "2."]
        assert text.query_selector("td").inner_text() == "Applicant"
        assert "Page 1" in text.query_selector(".region").inner_text()
        assert made.wrong == []
    finally:
        made.end()


def test_markup_of_a_ruling_is_text(window: Window) -> None:
    assert '<script>alert("1")</script> & <img src=x onerror=alert(2)>' in window.page.inner_text("#text")
    assert window.page.evaluate("document.querySelectorAll('#text script, #text img').length") == 0
    assert window.wrong == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_into_400_pixels(window: Window, scheme: Any) -> None:
    window.page.emulate_media(color_scheme=scheme)
    window.page.set_viewport_size({"width": 400, "height": 800})
    assert window.page.evaluate("document.documentElement.scrollWidth") <= 400
    assert window.page.is_visible("#question button")
    small = "[...document.querySelectorAll('button')].filter(b => b.offsetParent && b.offsetHeight < 24).length"
    assert window.page.evaluate(small) == 0


def test_what_is_printed_is_the_safe_text(window: Window) -> None:
    window.key("o")
    assert "Thomas Ashcombe" in window.page.inner_text("#text")
    window.page.emulate_media(media="print")
    assert "Ashcombe" not in window.page.inner_text("body")
