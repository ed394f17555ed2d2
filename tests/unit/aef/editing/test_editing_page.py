"""The editor's page over HTTP: for whom it is, what it never tells, and that no window overrules another unseen."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from aef.annotators.pipeline import Pipeline, load
from aef.anonymization import anonymize
from aef.corpus_tools.document import PARTS, Mention
from aef.editing import Session
from aef.editing.facts import TYPE_OF, TYPES, fact_of
from aef.editing.lists import HIDDEN, KEYS, LIST, NAMES, NUMBERS, SHOWN
from aef.editing.questions import REPLIES
from aef.editing.saving import save_path
from aef.editing.web.app import application
from aef.editing.web.desk import Desk, Ruling, to_look_at
from aef.editing.web.guard import MAX_BODY, Guard
from aef.editing.words import CODE, COMMON, DATE, INITIALS, PART, SMALL, WORDS
from aef.roles.classifier import ROLES

PORT = 8765
NAME = "Zebulon Quistgaard"
TEXT = f"""IN THE SUPREME COURT

Between: Mr. {NAME}, Plaintiff, and Ms. Tilda Osei, Defendant.

1. Mr. Quistgaard says <script>alert("1")</script> & <img src=x onerror=alert(2)> to Ms. Osei of Quill Hollow.

2. Quill Hollow is a farm.
"""
AT = [TEXT.index(NAME), TEXT.index(NAME) + len(NAME)]
STATIC = files("aef.editing.web").joinpath("static")


@cache
def tagger() -> Pipeline:
    return load("court-en")


class Page:
    """A page that is served, and a browser that has entered or not."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "ruling.txt"
        self.path.write_text(TEXT, "utf-8")
        session = Session(self.path, tagger())
        self.ruling = Ruling(session, folder / "ruling-safe.txt", folder / "gold.jsonl", folder / "key.json")
        self.desk = Desk([self.ruling])
        self.id = next(iter(self.desk.rulings))
        self.guard = Guard(application(lambda _: self.desk), PORT)
        self.key = self.guard.key

    def browser(self) -> TestClient:
        return TestClient(self.guard, base_url=f"http://127.0.0.1:{PORT}", follow_redirects=False)

    def entered(self) -> TestClient:
        browser = self.browser()
        browser.get(f"/enter?key={self.key}")
        return browser

    def shown(self, browser: TestClient) -> dict[str, Any]:
        found: dict[str, Any] = browser.get(f"/api/{self.id}").json()
        return found

    def post(self, browser: TestClient, what: str, **body: Any) -> httpx.Response:
        return browser.post(f"/api/{self.id}/{what}", json=body)


@pytest.fixture
def page(tmp_path: Path) -> Page:
    return Page(tmp_path)


# --- for whom it is -------------------------------------------------------------------------------------------------


def test_the_key_works_once_and_becomes_a_cookie(page: Page) -> None:
    browser = page.browser()
    answer = browser.get(f"/enter?key={page.key}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert re.search(r"HttpOnly; SameSite=Strict", answer.headers["set-cookie"])
    assert browser.get("/").status_code == 200
    assert browser.get(f"/enter?key={page.key}").status_code == 303, "who has the cookie may come again"
    again = page.browser().get(f"/enter?key={page.key}")
    assert (again.status_code, "set-cookie" in again.headers) == (403, False)


def addresses(page: Page) -> Iterator[tuple[str, str]]:
    yield from (("GET", path) for path in ("/", "/page.js", "/api/rulings", *_of(page)))
    yield from (("POST", f"/api/{page.id}/{what}") for what in ("tell", "settle", "undo", "redo", "finish"))


def _of(page: Page) -> Iterator[str]:
    yield from (f"/api/{page.id}{what}" for what in ("", "/text", "/safe"))


def test_without_the_key_nothing_is_shown(page: Page) -> None:
    stranger = page.browser()
    stranger.get("/enter?key=guessed")
    stranger.cookies.set(page.guard.cookie, "guessed")
    for method, path in addresses(page):
        answer = stranger.request(method, path, json={} if method == "POST" else None)
        assert answer.status_code == 403, path
        assert NAME not in answer.text


@pytest.mark.parametrize(
    ("reason", "headers"),
    [
        ("a name that leads here", {"host": "evil.example:8765"}),
        ("another port", {"host": "127.0.0.1:1"}),
        ("no port", {"host": "127.0.0.1"}),
        ("another page", {"origin": "http://evil.example"}),
        ("a page on another port", {"origin": "http://127.0.0.1:1"}),
        ("a page without an origin", {"origin": "null"}),
    ],
)
def test_others_may_not_ask_even_with_the_cookie(page: Page, reason: str, headers: dict[str, str]) -> None:
    browser = page.entered()
    for method, path in addresses(page):
        answer = browser.request(method, path, headers=headers, json={} if method == "POST" else None)
        assert answer.status_code == 403, (reason, path)
        assert NAME not in answer.text
    assert page.ruling.session.facts == ()


def test_the_host_is_checked_before_the_key(page: Page) -> None:
    page.browser().get(f"/enter?key={page.key}", headers={"host": "evil.example"})
    assert page.guard.key == page.key


def test_every_answer_has_the_headers(page: Page) -> None:
    browser = page.entered()
    for path in ("/", "/page.css", f"/api/{page.id}", "/nothing", "/enter?key=again"):
        headers = browser.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy, path
        assert (headers["cache-control"], headers["x-content-type-options"]) == ("no-store", "nosniff"), path
        assert headers["referrer-policy"] == "no-referrer", path


def test_no_such_ruling_and_no_such_page(page: Page) -> None:
    browser = page.entered()
    for path in ("/api/0123456789abcdef", "/api/rulings/x", "/docs", "/openapi.json", "/../ruling.txt"):
        assert browser.get(path).status_code == 404, path
    assert browser.get(f"/api/{page.id}/safe").status_code == 404, "nothing is written yet"


def test_a_request_that_is_too_long_is_refused(page: Page) -> None:
    browser = page.entered()
    answer = browser.post(f"/api/{page.id}/tell", content=b" " * (MAX_BODY + 1))
    assert answer.status_code == 413


# --- what is markup in a ruling stays text --------------------------------------------------------------------------


def test_markup_of_a_ruling_comes_as_json_and_nowhere_else(page: Page) -> None:
    browser = page.entered()
    answer = browser.get(f"/api/{page.id}")
    assert answer.headers["content-type"] == "application/json"
    whole = "".join(piece[2] for paragraph in answer.json()["paragraphs"] for piece in paragraph["pieces"])
    assert '<script>alert("1")</script> & <img src=x onerror=alert(2)>' in whole
    for path in ("/", *(f"/{file.name}" for file in STATIC.iterdir() if file.name != "page.html")):
        assert "Quistgaard" not in browser.get(path).text


def test_the_page_has_no_inline_script_or_style_and_writes_no_html() -> None:
    html = STATIC.joinpath("page.html").read_text("utf-8")
    assert not re.search(r"<script(?![^>]*src=)|\son\w+=|\sstyle=|<style|javascript:|https?://", html)
    for name, source in scripts():
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function|https?://", source
        ), name


def scripts() -> list[tuple[str, str]]:
    return [(file.name, file.read_text("utf-8")) for file in STATIC.iterdir() if file.name.endswith(".js")]


# --- its words ------------------------------------------------------------------------------------------------------


def words(language: str) -> dict[str, str]:
    found: dict[str, str] = json.loads(STATIC.joinpath(f"words-{language}.json").read_text("utf-8"))
    return found


def test_every_language_has_all_words_and_their_blanks() -> None:
    source = next(text for name, text in scripts() if name == "words.js")
    languages = re.findall(r"(\w\w): \"", re.search(r"LANGUAGES = \{(.*)\}", source)[1])  # type: ignore[index]
    assert languages == ["en", "fr", "es"]
    for language in languages:
        assert words(language).keys() == words("en").keys(), language
        for key, text in words(language).items():
            assert text.strip(), key
            assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", words("en")[key])), (language, key)


def test_all_that_the_page_says_is_in_its_words() -> None:
    known = words("en")
    html = STATIC.joinpath("page.html").read_text("utf-8")
    source = "".join(text for _, text in scripts())
    asked = set(re.findall(r'data-t(?:-label)?="([^"]+)"', html)) | set(re.findall(r'\bt\("([^"]+)"', source))
    asked |= set(re.findall(r'"(key-\w+)"', source))
    counted = {f"{key}-{number}" for key in re.findall(r'count\("([^"]+)"', source) for number in ("one", "other")}
    made = {f"reply-{reply}" for replies in REPLIES.values() for reply in replies}
    made |= {f"list-{about}" for about in (HIDDEN, SHOWN, NUMBERS, NAMES)}
    made |= {f"looks-{kind}" for kind in (CODE, DATE, INITIALS, WORDS, SMALL, COMMON, PART)}
    made |= {f"part-{part}" for part in PARTS if part not in ("head", "body", "table")}
    made |= {f"role-{role}" for role in (*ROLES, *TYPE_OF)} | {f"kind-{kind}" for kind in TYPES}
    assert asked | counted | made <= known.keys()
    assert {key for key in known if key not in asked | counted | made and f'"{key}"' not in source} == set()


def test_no_key_of_a_list_is_a_command() -> None:
    source = dict(scripts())
    commands = re.search(r"const DOES = \{(.*?)\n\};", source["page.js"], re.DOTALL)
    right = re.search(r'RIGHT = "(.)"', source["panels.js"])
    assert commands and right
    taken = set(re.findall(r'(?<!\w)"?([^\s"])"?: ', commands[1]) + re.findall(r"\b(\w),? ", commands[1])) | {right[1]}
    assert {"u", "r", "o", "y", "?", "/"} <= taken and not taken & set(KEYS)


def test_all_that_the_page_loads_is_served(page: Page) -> None:
    browser = page.entered()
    found = re.findall(r'(?:src|href)="(/[^"]+)"', browser.get("/").text)
    found += [f"/{name}" for name in re.findall(r'from "\./([^"]+)"', browser.get("/page.js").text)]
    assert found and all(browser.get(path).status_code == 200 for path in found)


def test_the_pieces_of_a_paragraph_are_its_text(page: Page) -> None:
    shown = page.shown(page.entered())
    for paragraph in shown["paragraphs"]:
        pieces = paragraph["pieces"]
        assert all(TEXT[start:end] == original for start, end, original, *_ in pieces)
        assert all(left[1] == right[0] for left, right in pairwise(pieces))


def test_until_it_is_decided_the_ruling_is_there_as_it_reads(page: Page) -> None:
    browser = page.entered()
    read = browser.get(f"/api/{page.id}/text").json()["paragraphs"]
    assert "ground" not in vars(page.ruling.session), "nothing is looked for yet"
    assert all(piece[3:5] == [None, None] for paragraph in read for piece in paragraph["pieces"])
    decided = page.shown(browser)["paragraphs"]
    assert [words_of(paragraph) for paragraph in read] == [words_of(paragraph) for paragraph in decided]


def words_of(paragraph: dict[str, Any]) -> str:
    return "".join(piece[2] for piece in paragraph["pieces"])


# --- answers --------------------------------------------------------------------------------------------------------


def test_an_answer_changes_what_it_settles_and_is_saved(page: Page) -> None:
    browser = page.entered()
    shown = page.shown(browser)
    question = next(q for q in shown["questions"] if "Quistgaard" in q["names"])
    answer = page.post(browser, "tell", version=0, facts=[question["facts"]["show"]]).json()
    changed = {int(i): [p[2] for p in paragraph["pieces"] if p[3]] for i, paragraph in answer["changed"].items()}
    named = {i for i, paragraph in enumerate(shown["paragraphs"]) if "quistgaard" in words_of(paragraph).lower()}
    assert len(named) > 1 and named <= changed.keys()
    assert not [words for hidden in changed.values() for words in hidden if "quistgaard" in words.lower()]
    assert answer["version"] == 1 and answer["undo"] == 1 and not answer["unsaved"]
    assert len(json.loads(save_path(page.path).read_text("utf-8"))["facts"]) == 1
    undone = page.post(browser, "undo", version=1).json()
    assert {int(i) for i in undone["changed"]} == set(changed)
    assert page.shown(browser)["paragraphs"] == shown["paragraphs"]


def test_a_list_is_answered_as_a_whole_and_taken_back_as_one(page: Page) -> None:
    browser = page.entered()
    shown = page.shown(browser)
    asked = next(q for q in shown["lists"] if q["kind"] == LIST)
    facts = [part["facts"][part["replies"][0]] for part in asked["parts"]]
    answer = page.post(browser, "tell", version=0, facts=facts).json()
    assert (answer["version"], answer["undo"]) == (1, len(facts))
    left = {part["id"] for one in answer["lists"] for part in one.get("parts", [one])}
    assert not left & {part["id"] for part in asked["parts"]}
    assert page.post(browser, "undo", version=1).json()["undo"] == 0
    assert page.shown(browser)["lists"] == shown["lists"]


RIGHT: dict[str, Any] = {"kind": "hide", "place": [0, 2]}


@pytest.mark.parametrize("facts", [[], [RIGHT, {"kind": "nonsense", "place": [0, 2]}], [RIGHT] * 99, RIGHT, ["hide"]])
def test_all_of_a_list_is_taken_or_nothing(page: Page, facts: Any) -> None:
    assert page.post(page.entered(), "tell", version=0, facts=facts).status_code == 422
    assert page.ruling.session.facts == ()


def test_every_reply_tells_what_the_session_makes_of_it(page: Page) -> None:
    shown = page.shown(page.entered())["questions"]
    asked = {question.id: question for question in page.ruling.session.questions()}
    assert shown and all(
        fact_of(question["facts"][reply], len(TEXT)) == asked[question["id"]].fact(reply)
        for question in shown
        for reply in asked[question["id"]].replies
    )


def test_two_windows_are_told_apart(page: Page) -> None:
    browser = page.entered()
    first = page.shown(browser)["questions"][0]
    assert page.post(browser, "tell", version=0, facts=[first["facts"][first["replies"][0]]]).status_code == 200
    late = page.post(browser, "tell", version=0, facts=[first["facts"][first["replies"][1]]])
    assert late.status_code == 409 and "another window" in late.json()["error"]
    for what, more in (
        ("undo", {}),
        ("redo", {}),
        ("tell", {"facts": [{"kind": "hide", "place": [0, 2]}]}),
        ("settle", {"sure": 50, "reply": "hide"}),
        ("finish", {}),
    ):
        assert page.post(browser, what, version=0, **more).status_code == 409, what
    assert len(page.ruling.session.facts) == 1


@pytest.mark.parametrize(
    ("reason", "what", "body"),
    [
        ("no version", "tell", {"facts": [RIGHT]}),
        ("nothing", "tell", {"version": 0}),
        ("a place outside", "tell", {"version": 0, "facts": [{"kind": "hide", "place": [0, 10**9]}]}),
        ("a type of its own", "tell", {"version": 0, "facts": [{"kind": "hide", "place": [0, 2], "type": "<b>"}]}),
        ("a label of nobody", "tell", {"version": 0, "facts": [{"kind": "call", "place": [0, 2], "value": "X"}]}),
        ("a label with a name", "tell", {"version": 0, "facts": [{"kind": "call", "place": AT, "value": NAME}]}),
        ("surer than sure", "settle", {"version": 0, "sure": 101, "reply": "hide"}),
        ("settled by another reply", "settle", {"version": 0, "sure": 50, "reply": "no name"}),
        ("no object", "tell", {"version": 0, "facts": "hide"}),
    ],
)
def test_what_is_no_answer_changes_nothing(page: Page, reason: str, what: str, body: dict[str, Any]) -> None:
    answer = page.post(page.entered(), what, **body)
    assert answer.status_code == 422, reason
    assert answer.json()["error"] and NAME not in answer.text
    assert (page.ruling.version, page.ruling.session.facts) == (0, ())


def test_answers_that_cannot_be_saved_stay_and_the_page_says_so(page: Page) -> None:
    save_path(page.path).mkdir()
    answer = page.post(page.entered(), "tell", version=0, facts=[RIGHT]).json()
    assert "is a folder" in answer["unsaved"]
    assert len(page.ruling.session.facts) == 1


@contextmanager
def full_disk() -> Iterator[None]:
    """No file of this process may have a byte."""
    resource = pytest.importorskip("resource")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_on_a_full_disk_nothing_is_half_written_and_nothing_is_lost(page: Page) -> None:
    browser = page.entered()
    with full_disk():
        answer = page.post(browser, "tell", version=0, facts=[RIGHT])
        done = page.post(browser, "finish", version=1)
    assert answer.status_code == 200 and "too large" in answer.json()["unsaved"]
    assert done.status_code == 507 and "cannot be written (File too large)" in done.json()["error"]
    assert list(page.path.parent.iterdir()) == [page.path]
    assert page.post(browser, "finish", version=1).json()["written"], "with room it goes on"
    assert not page.post(browser, "undo", version=1).json()["unsaved"]


@pytest.mark.skipif(not Path("/sys").is_dir(), reason="there is no folder that even an administrator cannot write into")
def test_into_a_folder_that_cannot_be_written_nothing_is(page: Page) -> None:
    browser = page.entered()
    page.ruling.target = Path("/sys/ruling-safe.txt")
    done = page.post(browser, "finish", version=0)
    assert done.status_code == 422 and "cannot be written" in done.json()["error"]
    assert not page.ruling.corrections.exists() and not page.ruling.protocol.exists()
    assert page.post(browser, "tell", version=0, facts=[RIGHT]).json()["undo"] == 1


def test_a_file_that_was_changed_meanwhile_is_not_finished(page: Page) -> None:
    browser = page.entered()
    page.post(browser, "tell", version=0, facts=[RIGHT])
    page.path.write_text(f"{TEXT} More.", "utf-8")
    done = page.post(browser, "finish", version=1)
    assert done.status_code == 422 and "was changed since the session began" in done.json()["error"]
    assert not page.ruling.target.exists() and not page.ruling.corrections.exists()
    assert page.shown(browser)["undo"] == 1


def test_an_error_of_ours_tells_nothing_of_the_ruling(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: Ruling) -> dict[str, Any]:
        raise ValueError(TEXT)

    monkeypatch.setattr(Ruling, "shown", broken)
    answer = page.entered().get(f"/api/{page.id}")
    assert answer.status_code == 500 and "ValueError" in answer.text and NAME not in answer.text


# --- the end --------------------------------------------------------------------------------------------------------


def test_finishing_writes_the_safe_file_and_gold_and_never_over_another(page: Page) -> None:
    browser = page.entered()
    done = page.post(browser, "finish", version=0)
    assert done.json()["written"] and not done.json()["left"]
    assert "Quistgaard" not in page.ruling.target.read_text("utf-8")
    assert browser.get(f"/api/{page.id}/safe").content == page.ruling.target.read_bytes()
    assert all(path.stat().st_mode & 0o077 == 0 for path in (page.ruling.corrections, page.ruling.protocol))
    key = json.loads(page.ruling.protocol.read_text("utf-8"))[0]
    assert [NAME in names for label, names in key["people"].items() if label == "Z.Q."] == [True]
    again = page.post(browser, "finish", version=0)
    assert again.status_code == 422 and "exists already" in again.json()["error"]
    assert page.post(browser, "finish", version=0, force=True).json()["written"]


def test_what_to_look_at_tells_word_bearers_and_paragraph(tmp_path: Path) -> None:
    text = "Ann Roe left.\n\nBob Roe came.\n\nThen Roe wept."
    (tmp_path / "a.txt").write_text(text, "utf-8")
    people = [
        Mention(i, i + 7, "PERSON", "DIRECT", name) for name in ("Ann Roe", "Bob Roe") for i in [text.index(name)]
    ]
    result = anonymize(tmp_path / "a.txt", mentions=people, scheme="letters")
    assert [(word, len(whose.split(" or ")), where) for word, whose, where in to_look_at(result)] == [("Roe", 2, 3)]


def test_where_a_hidden_name_is_left_nothing_is_written_and_the_place_is_told(page: Page) -> None:
    browser = page.entered()
    page.ruling.target = page.ruling.target.with_name(f"{NAME}.txt")
    done = page.post(browser, "finish", version=0).json()
    assert not done["written"] and done["left"] == ["the name of the output file"]
    assert not page.ruling.target.exists() and not page.ruling.corrections.exists()
    assert browser.get(f"/api/{page.id}/safe").status_code == 404
