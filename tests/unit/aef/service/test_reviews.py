"""The editor's page in the service: for whom it is, what is kept of it, and what it comes to."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import httpx
import pytest
from serving import Serving

from aef.service import keys
from aef.service.review.entry import COOKIE
from aef.workers.audit import segments, verified

Start = Callable[..., AbstractContextManager[Serving]]
NAME = b"Zebulon Quistgaard"
TEXT = b"""IN THE SUPREME COURT

Between: Mr. Zebulon Quistgaard, Plaintiff, and Ms. Tilda Osei, Defendant.

1. Mr. Quistgaard says <script>alert(1)</script> to Ms. Osei of Lower Barton.
"""
FORM = {"files": {"file": ("Zebulon.txt", TEXT)}}


@contextmanager
def browser(service: Serving, rights: str = "review", name: str = "editor") -> Iterator[httpx.Client]:
    """A browser that has come in by an address that works once."""
    settings = service.made.desk.settings
    key = keys.add(settings.keys, name, rights.split(","))
    with service.client() as programs:
        address = programs.post("/v1/entry", headers={"Authorization": f"Bearer {key}"}).json()["address"]
    with httpx.Client(base_url=f"http://127.0.0.1:{service.port}", timeout=60, follow_redirects=True) as page:
        page.get(address)
        yield page


def handed_in(service: Serving, reviewer: str = "editor") -> str:
    with service.client() as client:
        answer = client.post("/v1/rulings", **FORM, data={"reviewer": reviewer})
    assert (answer.status_code, answer.json()["state"]) == (202, "review")
    return str(answer.json()["id"])


def test_a_ruling_goes_through_the_editor_to_its_owner(serving: Start) -> None:
    with serving() as service:
        ruling = handed_in(service)
        with browser(service) as page:
            assert [r["id"] for r in page.get("/edit/api/rulings").json()] == [ruling]
            shown = page.get(f"/edit/api/{ruling}").json()
            assert shown["questions"] and shown["name"] == f"{ruling[:8]}.txt"
            start = TEXT.index(b"Lower Barton")
            fact = {"kind": "hide", "place": [start, start + 12]}
            told = page.post(f"/edit/api/{ruling}/tell", json={"version": shown["version"], "facts": [fact]}).json()
            assert told["version"] == shown["version"] + 1 and told["undo"] == 1
            stale = page.post(f"/edit/api/{ruling}/undo", json={"version": 0})
            assert stale.status_code == 409, "another window is told"
            assert page.get(f"/edit/api/{ruling}/safe").status_code == 404
            done = page.post(f"/edit/api/{ruling}/finish", json={"version": told["version"]}).json()
            assert done["written"] and done["left"] == []
            safe = page.get(f"/edit/api/{ruling}/safe")
            assert b"Quistgaard" not in safe.content and b"Barton" not in safe.content
            assert page.get("/edit/api/rulings").json() == []
        with service.client() as client:
            assert client.get(f"/v1/rulings/{ruling}/result").content == safe.content
            gold = client.get(f"/v1/rulings/{ruling}/corrections").json()
            assert any(m["span_text"] == "Lower Barton" for m in gold["mentions"])
            assert "Quistgaard" in client.get(f"/v1/rulings/{ruling}/protocol").text
        log = segments(service.made.desk.settings.audit)[-1].read_text()
        deeds = [(line["what"], line["who"]) for line in map(json.loads, log.splitlines()) if line.get("ruling")]
        assert deeds[:2] == [("submitted", "registry"), ("reviewed", "editor")]
        assert verified(service.made.desk.settings.audit)[0] > 3 and "Quist" not in log


def test_what_was_told_survives_the_death_of_the_process_that_knew_it(serving: Start) -> None:
    with serving() as service:
        ruling = handed_in(service)
        with browser(service) as page:
            version = page.get(f"/edit/api/{ruling}").json()["version"]
            fact = {"kind": "show", "place": [TEXT.index(NAME), TEXT.index(NAME) + len(NAME)]}
            told = page.post(f"/edit/api/{ruling}/tell", json={"version": version, "facts": [fact]}).json()
            service.made.office.reviewer.stop()  # as a kill does
            again = page.get(f"/edit/api/{ruling}").json()
        assert (again["version"], again["undo"]) == (told["version"], 1)


def test_a_page_may_ask_for_text_and_people_at_once(serving: Start) -> None:
    with serving() as service:
        ruling = handed_in(service)
        with browser(service) as page, ThreadPoolExecutor(8) as several:
            asked = [f"/edit/api/{ruling}/text", f"/edit/api/{ruling}"] * 4
            answers = list(several.map(page.get, asked))
        assert [answer.status_code for answer in answers] == [200] * 8, [answer.text[:200] for answer in answers]
        assert len({answer.text for answer in answers}) == 2


def test_nothing_of_a_review_lies_in_clear(serving: Start) -> None:
    with serving() as service:
        ruling, settings = handed_in(service), service.made.desk.settings
        words = (b"Quistgaard", b"Zebulon", b"Osei", b"Lower Barton")

        def look(when: str) -> None:
            for path in (p for p in settings.data.parent.rglob("*") if p.is_file()):
                content = path.read_bytes()
                assert not [word for word in words if word in content], (when, path)

        with browser(service) as page:
            look("handed in")
            version = page.get(f"/edit/api/{ruling}").json()["version"]
            if str(settings.work_folder) in {str(p) for p in settings.data.iterdir()}:
                assert all(p.is_symlink() for p in settings.work_folder.rglob("*.txt")), "into memory"
            fact = {"kind": "hide", "place": [0, 2]}
            page.post(f"/edit/api/{ruling}/tell", json={"version": version, "facts": [fact]})
            assert "Quist" not in str(page.get("/edit/api/rulings").url)
            service.made.office.reviewer.stop()
            look("answered")
            page.post(f"/edit/api/{ruling}/finish", json={"version": version + 1})
            service.made.office.reviewer.stop()
            look("finished")


def test_nobody_else_s_rulings_are_shown(serving: Start) -> None:
    with serving() as service:
        ruling = handed_in(service)
        with browser(service, name="another") as page:
            assert page.get("/edit/api/rulings").json() == []
            for method, path in (("GET", ""), ("POST", "/undo"), ("POST", "/finish"), ("GET", "/safe")):
                answer = page.request(
                    method, f"/edit/api/{ruling}{path}", json={"version": 0} if method == "POST" else None
                )
                assert answer.status_code == 404, path


STRANGERS: list[tuple[str, dict[str, Any], int]] = [
    ("no cookie", {"cookies": {}}, 401),
    ("a cookie that was guessed", {"cookies": {COOKIE: "guessed"}}, 401),
    ("an API key, which is for programs", {"headers": {"X-API-Key": "KEY"}}, 401),
    ("a name that leads here", {"headers": {"Host": "evil.example"}}, 403),
    ("another page", {"headers": {"Origin": "https://evil.example"}}, 403),
    ("a page without an origin", {"headers": {"Origin": "null"}}, 403),
]


@pytest.mark.parametrize(("reason", "given", "status"), STRANGERS, ids=[row[0] for row in STRANGERS])
def test_strangers_are_shown_nothing(serving: Start, reason: str, given: dict[str, Any], status: int) -> None:
    with serving() as service:
        ruling = handed_in(service)
        with httpx.Client(base_url=f"http://127.0.0.1:{service.port}", cookies=given.get("cookies")) as client:
            headers = {k: v.replace("KEY", service.key) for k, v in given.get("headers", {}).items()}
            for method, path in (("GET", "api/rulings"), ("GET", f"api/{ruling}"), ("POST", f"api/{ruling}/undo")):
                answer = client.request(method, f"/edit/{path}", headers=headers)
                assert answer.status_code == status, (reason, path)
                assert b"Quist" not in answer.content


def test_the_address_works_once_and_the_cookie_as_long_as_the_key(serving: Start) -> None:
    with serving() as service:
        settings = service.made.desk.settings
        key = keys.add(settings.keys, "editor", ["review"])
        with service.client() as programs:
            address = programs.post("/v1/entry", headers={"Authorization": f"Bearer {key}"}).json()["address"]
        base = f"http://127.0.0.1:{service.port}"
        with httpx.Client(base_url=base) as page, httpx.Client(base_url=base) as late:
            entered = page.get(address)
            assert (entered.status_code, entered.headers["location"]) == (303, "/edit/")
            assert re.search("HttpOnly; SameSite=Strict", entered.headers["set-cookie"])
            assert "set-cookie" not in late.get(address).headers
            answer = page.get("/edit/")
            assert answer.status_code == 200 and "default-src 'none'" in answer.headers["content-security-policy"]
            assert answer.headers["cache-control"] == "no-store"
            assert late.get("/edit/").headers["location"] == "/enter/"
            assert page.get("/status/figures").status_code == 403, "who reviews does not administer"
            keys.remove(settings.keys, key.split("-")[1])
            assert page.get("/edit/api/rulings").status_code == 401


def test_signing_in_with_a_key(serving: Start) -> None:
    with serving() as service:
        settings = service.made.desk.settings
        right = {r: keys.add(settings.keys, r, [r]) for r in ("review", "submit", "admin")}
        with httpx.Client(base_url=f"http://127.0.0.1:{service.port}") as page:
            assert "enter.js" in page.get("/enter/").text
            for body in (b"", b"[]", b'{"key": 7}', b'{"key": "aef-x"}', json.dumps({"key": right["submit"]}).encode()):
                assert page.post("/enter/", content=body).status_code == 403, body
            assert page.post("/enter/", json={"key": right["review"]}).headers["location"] == "/edit/"
            assert page.get("/edit/api/here").json() == {"takes": True, "copies": False}
            page.post("/enter/leave")
            assert page.get("/edit/api/here").status_code == 401
            assert page.post("/enter/", json={"key": right["admin"]}).headers["location"] == "/status/"
            assert page.get("/status/figures").json()["status"] == "open"


def test_who_reviews_may_bring_a_ruling_if_he_may_submit(serving: Start) -> None:
    with serving() as service:
        with browser(service, "review,submit", "chief") as page:
            made = page.post("/edit/api/rulings", **FORM)
            assert made.status_code == 200
            assert [r["id"] for r in page.get("/edit/api/rulings").json()] == [made.json()["id"]]
        with browser(service, "review") as page:
            assert page.post("/edit/api/rulings", **FORM).status_code == 403


def test_a_browser_that_asks_nothing_has_to_sign_in_anew(serving: Start) -> None:
    with serving(idle=0.0) as service, browser(service) as page:
        assert page.get("/edit/api/rulings").status_code == 401


def test_what_cannot_be_read_is_told_on_the_page(serving: Start) -> None:
    with serving() as service:
        with service.client() as client:
            form = {"files": {"file": ("a.docx", b"no package")}, "data": {"reviewer": "editor"}}
            ruling = client.post("/v1/rulings", **form).json()["id"]
        with browser(service) as page:
            answer = page.get(f"/edit/api/{ruling}")
            assert answer.status_code == 422 and "is no DOCX" in answer.json()["error"]


def test_draining_takes_nothing_in_and_is_told(serving: Start) -> None:
    with serving() as service, browser(service, "admin", "chief") as page, service.client() as client:
        assert page.post("/status/drain", content=b"true").json()["status"] == "draining"
        refused = client.post("/v1/rulings", **FORM)
        assert (refused.status_code, refused.json()["code"]) == (503, "draining")
        assert client.get("/v1/ready").json()["status"] == "draining" and client.get("/v1/live").status_code == 200
        assert page.post("/status/drain", content=b"false").json()["status"] == "open"
        assert client.post("/v1/rulings", **FORM).status_code == 202
