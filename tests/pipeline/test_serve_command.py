"""The service as its clients, its operator and its enemies have it: a real server, real workers, real requests."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from base64 import b64decode, b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from aef.benchmarks.postgres import NotInstalled, postgres
from aef.benchmarks.served import Server, running, schemathesis, start
from aef.commands import main
from aef.commands.serve import EPILOG
from aef.lexicons import languages
from aef.service import keys
from aef.service.server import service
from aef.workers.settings import Settings
from aef.workers.worker import PIPELINES

ROOT = Path(__file__).resolve().parents[2]
CURL = re.compile(r"^ *(curl .*)$", re.MULTILINE)
NAME = "Zebulon Quistgaard"
TEXT = f"""IN THE SUPREME COURT

Between: Mr. {NAME}, Plaintiff, and Ms. Tilda Osei, Defendant.

1. Mr. Quistgaard was born on 3 May 1961. He lives in Kelowna with Ms. Osei.
2. Ms. Osei says that Mr. Quistgaard paid nothing.
"""


def started(folder: Path, *more: str, key: str = "") -> Server:
    return start(folder, "--workers", "1", "--reserved", "0", *more, key=key)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = started(tmp_path_factory.mktemp("service"), "--max-size", "0.2", "--max-again", "0.5")
    yield made
    assert made.stop() == 0


def as_json(content: bytes | str = TEXT, **values: Any) -> dict[str, Any]:
    data = content.encode() if isinstance(content, str) else content
    return {"document": b64encode(data).decode(), "type": "txt", **values}


def as_form(content: bytes | str = TEXT, name: str = "ruling.txt", **values: str) -> dict[str, Any]:
    return {"files": {"file": (name, content)}, "data": values}


# --- a newcomer -----------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not shutil.which("curl") or not shutil.which("bash"), reason="no curl")
@pytest.mark.parametrize("text", [EPILOG, (ROOT / "README.md").read_text("utf-8")], ids=["help", "README"])
def test_a_newcomer_anonymizes_a_ruling_with_curl(server: Server, text: str, tmp_path: Path) -> None:
    for line in CURL.findall(text):
        for ruling in re.findall(r"@(\S+\.docx)", line):
            place = tmp_path / ruling
            if not place.exists():
                place.parent.mkdir(parents=True, exist_ok=True)
                _docx(place)
        command = line.replace("http://127.0.0.1:8000", server.address)
        with server.client() as client:
            waits = client.post("/v1/rulings", **as_form()).json()["id"]
        environment = {**os.environ, "KEY": server.key, "ID": waits}
        done = subprocess.run(
            ["bash", "-c", command.replace("curl ", "curl -sS --fail ", 1)],
            cwd=tmp_path, env=environment, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, (line, done.stderr)
        if "-o" in line:
            made = (tmp_path / line.split()[-1]).read_bytes()
            assert made and b"Quistgaard" not in made


def _docx(path: Path) -> None:
    import docx

    document = docx.Document()
    for line in TEXT.splitlines():
        document.add_paragraph(line)
    document.save(str(path))


# --- both interfaces ------------------------------------------------------------------------------------------------


def test_saroj_s_way(server: Server) -> None:
    with server.client() as client:
        accepted = client.post("/startAnonymization", json=as_json(scheme="letters"))
        assert accepted.status_code == 202
        made = accepted.json()["id"]
        assert client.get(f"/v1/rulings/{made}", params={"wait": 30}).json()["state"] == "done"
        found = client.post("/getResult", json={"id": made}).json()
        result = b64decode(found["document"]).decode()
        assert found["state"] == "done" and "AA" in result and "Quistgaard" not in result
        while (again := client.post("/getResult", json={"id": made}).json())["state"] == "done":
            time.sleep(0.1)  # it is erased some time after it was delivered
        assert again["state"] == "taken" and "document" not in again


@pytest.mark.parametrize("how", ["doAnonymization", "anonymize"])
def test_an_answer_that_waits_comes_when_the_ruling_is_done(server: Server, how: str) -> None:
    with server.client() as client:
        if how == "anonymize":
            answer = client.post("/v1/anonymize", **as_form(scheme="blank", seed="3"))
            result = answer.text
        else:
            answer = client.post("/doAnonymization", json=as_json(scheme="blank", seed=3))
            assert answer.json()["state"] == "done"
            result = b64decode(answer.json()["document"]).decode()
        assert answer.status_code == 200 and "[...]" in result and "Quistgaard" not in result
        assert result.startswith("IN THE SUPREME COURT\n\n")


def test_it_is_what_the_command_line_makes(server: Server, tmp_path: Path) -> None:
    _docx(tmp_path / "ruling.docx")
    assert main(["anonymize", str(tmp_path / "ruling.docx"), "-o", str(tmp_path / "safe.docx"), "--quiet"]) == 0
    with server.client() as client:
        made = client.post("/v1/anonymize", **as_form((tmp_path / "ruling.docx").read_bytes(), "r.docx")).content
    from aef.corpus_tools.rulings.readers import read

    (tmp_path / "served.docx").write_bytes(made)
    assert read(tmp_path / "served.docx").text == read(tmp_path / "safe.docx").text


def test_pipelines_languages_and_policies_are_chosen_by_name(server: Server) -> None:
    with server.client() as client:
        for chosen in ({"pipeline": "nome"}, {"language": "es"}, {"policy": "all", "pipeline": "court-en"}):
            assert client.post("/doAnonymization", json=as_json(**chosen)).status_code == 200, chosen


def test_a_result_can_be_kept_until_it_is_safe(server: Server) -> None:
    with server.client() as client:
        made = client.post("/v1/rulings", **as_form()).json()["id"]
        kept = [client.get(f"/v1/rulings/{made}/result", params={"wait": 30, "keep": True}) for _ in range(2)]
        assert kept[0].content == kept[1].content and kept[0].status_code == 200
        assert client.delete(f"/v1/rulings/{made}").status_code == 204
        assert client.get(f"/v1/rulings/{made}").status_code == 404


def test_a_ruling_sent_twice_under_one_key_is_one(server: Server) -> None:
    with server.client() as client:
        same = [client.post("/v1/rulings", **as_form(), headers={"Idempotency-Key": "case-7"}) for _ in range(2)]
        assert same[0].json()["id"] == same[1].json()["id"]
        other = client.post("/v1/rulings", **as_form("other"), headers={"Idempotency-Key": "case-7"})
        assert (other.status_code, other.json()["code"]) == (409, "key_reused")


@pytest.mark.slow
def test_schemathesis_finds_nothing(server: Server) -> None:
    right, said = schemathesis(server, examples=1, more=["--phases", "examples,coverage,fuzzing,stateful"])
    assert right, said
    assert not server.events("request_failed")


# --- who may do what ------------------------------------------------------------------------------------------------


def test_a_client_sees_its_own_rulings_alone(server: Server) -> None:
    with server.client() as mine, server.another("chamber", "submit,read,admin") as other:
        made = mine.post("/v1/rulings", **as_form()).json()["id"]
        asked = [
            other.get(f"/v1/rulings/{made}"),
            other.get(f"/v1/rulings/{made}/result"),
            other.delete(f"/v1/rulings/{made}"),
            other.post("/getResult", json={"id": made}),
        ]
        assert [answer.status_code for answer in asked] == [404] * 4
        assert mine.get(f"/v1/rulings/{made}").status_code == 200


@pytest.mark.parametrize(
    ("rights", "allowed"),
    [
        ("submit", {"submit"}),
        ("read", {"read"}),
        ("admin", {"admin"}),
        ("review", set()),
        ("submit,read", {"submit", "read", "both"}),
    ],
)
def test_rights(server: Server, rights: str, allowed: set[str]) -> None:
    with server.another(rights.replace(",", " "), rights) as client:
        nobody = "0" * 32
        asked = {
            "submit": client.delete(f"/v1/rulings/{nobody}"),
            "read": client.get(f"/v1/rulings/{nobody}"),
            "both": client.post("/doAnonymization", json=as_json()),
            "admin": client.get("/metrics"),
        }
        assert {what for what, answer in asked.items() if answer.status_code != 403} == allowed


SECRET = f"the secret of Mr. {NAME}"
FORM, START, DO, GET = (f"POST /{p}" for p in ("v1/rulings", "startAnonymization", "doAnonymization", "getResult"))
TWO_FILES = [("file", ("a.txt", SECRET)), ("file", ("b.txt", SECRET))]
WITHOUT = min(set(languages()) - set(PIPELINES))
MORE_FILES = {"file": ("a.txt", SECRET), "more": ("b.txt", SECRET)}


def sent(content: bytes | str = TEXT, **values: Any) -> dict[str, Any]:
    return {"json": as_json(content, **values)}


def raw(document: Any) -> dict[str, Any]:
    return {"json": {"document": document, "type": "txt"}}


def typed(kind: str) -> dict[str, Any]:
    return {"content": SECRET, "headers": {"Content-Type": kind}}


def by(authorization: str) -> dict[str, Any]:
    return {"headers": {"Authorization": authorization}}


BAD: list[tuple[str, str, dict[str, Any], int, str, str]] = [
    # why, how, what, status, code, a word of the sentence
    ("no key", FORM, by(""), 401, "no_key", "Bearer"),
    ("a wrong key", START, by(f"Bearer {SECRET}"), 401, "no_key", "valid"),
    ("another scheme", "GET /metrics", by("Basic YTpi"), 401, "no_key", "Bearer"),
    ("no key, an address that is none", "GET /nothing", by(""), 401, "no_key", "key"),
    ("no form", FORM, {"content": SECRET}, 415, "no_form", "curl"),
    ("a form without file", FORM, {"data": {"x": SECRET}}, 415, "no_form", "form"),
    ("a field in the file's place", FORM, {"files": {"file": (None, SECRET)}}, 422, "no_file", "file"),
    ("two files", FORM, {"files": TWO_FILES}, 422, "twice", "one ruling"),
    ("a file too many", FORM, {"files": MORE_FILES}, 422, "no_file", "one ruling"),
    ("an unknown field", FORM, as_form(SECRET, ending=SECRET), 422, "unknown_field", "scheme"),
    ("a broken form", FORM, typed("multipart/form-data; boundary=x"), 400, "bad_form", "form"),
    ("no boundary", FORM, typed("multipart/form-data"), 400, "bad_form", "form"),
    ("an empty file", FORM, as_form(""), 422, "empty", "empty"),
    ("a file that is too large", FORM, as_form(SECRET * 7000), 413, "too_large", "0.2 MB"),
    ("Base64 that is too large", START, sent(SECRET * 7000), 413, "too_large", "0.2 MB"),
    ("a body far too large", DO, {"content": SECRET * 100_000}, 413, "too_large", "0.2 MB"),
    ("no suffix", FORM, as_form(SECRET, SECRET), 415, "unsupported_format", "DOCX"),
    ("a PDF", FORM, as_form(SECRET, "a.pdf"), 415, "unsupported_format", "DOCX"),
    ("a path as name", FORM, as_form(SECRET, "../../etc/passwd"), 415, "unsupported_format", "suffix"),
    ("a type that is none", FORM, as_form(SECRET, type=SECRET), 422, "invalid", "type"),
    ("a path as scheme", FORM, as_form(SECRET, scheme="../../x"), 422, "invalid", "scheme: there are"),
    ("a path as policy", START, sent(policy="/etc/passwd"), 422, "invalid", "policy: there are"),
    ("a path as pipeline", START, sent(pipeline="x.toml"), 422, "invalid", "pipeline: there are"),
    ("a model of the client's", START, sent(model="/tmp/x.aef"), 422, "unknown_field", "pipeline"),
    ("a language without model", START, sent(language=WITHOUT), 422, "invalid", "language: there are"),
    ("a seed in words", START, sent(seed=SECRET), 422, "invalid", "seed"),
    ("a seed below 0", FORM, as_form(SECRET, seed="-1"), 422, "invalid", "seed"),
    ("no JSON", START, typed("application/json"), 400, "not_json", "JSON"),
    ("another JSON", START, {"json": [SECRET]}, 422, "invalid", "JSON object"),
    ("no document", START, {"json": {"type": "txt"}}, 422, "invalid", "document: is missing"),
    ("an unknown key", START, sent(**{SECRET: SECRET}), 422, "unknown_field", "document"),
    ("not Base64", START, raw(SECRET), 422, "not_base64", "base64 -w0"),
    ("Base64 cut off", DO, raw("QUJDRA"), 422, "not_base64", "Base64"),
    ("a number as document", DO, raw(7), 422, "invalid", "document"),
    ("neither type nor name", START, {"json": {"document": "QUJD"}}, 415, "unsupported_format", "type=docx"),
    ("a request key with a space", FORM, {"headers": {"Idempotency-Key": "a b"}}, 422, "invalid", "Idempotency-Key"),
    ("no such ruling", "GET /v1/rulings/" + "0" * 32, {}, 404, "unknown_ruling", "no such ruling"),
    ("a word as id", "GET /v1/rulings/passwd", {}, 404, "unknown_ruling", "no such ruling"),
    ("a path as id", "GET /v1/rulings/..%2f..%2fetc%2fpasswd", {}, 404, "no_such_address", "address"),
    ("a path as id, to erase", "DELETE /v1/rulings/%2e%2e", {}, 404, "unknown_ruling", "no such ruling"),
    ("SQL as id", "GET /v1/rulings/' OR 1=1 --/result", {}, 404, "unknown_ruling", "no such ruling"),
    ("a path as id in JSON", GET, {"json": {"id": "../../queue.key"}}, 404, "unknown_ruling", "no such ruling"),
    ("a number as id", GET, {"json": {"id": 7}}, 422, "invalid", "id"),
    ("too long a wait", f"GET /v1/rulings/{'0' * 32}?wait=1e9", {}, 422, "invalid", "wait"),
    ("another method", "PUT /v1/rulings", {}, 405, "wrong_method", "asked"),
    ("no such address", "GET /etc/passwd", {}, 404, "no_such_address", "/docs"),
    ("a DOCX that is none", "POST /v1/anonymize", as_form(SECRET, "a.docx"), 422, "unreadable", "no DOCX"),
    ("a text that is a ZIP", DO, sent(b"PK\x03\x04" + SECRET.encode()), 422, "unreadable", "ZIP"),
    ("white space alone", DO, sent("  \n "), 422, "unreadable", "no text"),
]  # fmt: skip


@pytest.mark.parametrize(("why", "how", "what", "status", "code", "said"), BAD, ids=[row[0] for row in BAD])
def test_bad_requests(
    server: Server, why: str, how: str, what: dict[str, Any], status: int, code: str, said: str
) -> None:
    method, path = how.split(" ", 1)
    with server.client() as client:
        answer = client.request(method, path, **what)
    problem = answer.json()
    assert (answer.status_code, problem["status"], problem["code"]) == (status, status, code), problem
    assert answer.headers["content-type"] == "application/problem+json"
    assert said in problem["detail"] and "Quist" not in answer.text and "Zebulon" not in answer.text


def test_who_has_no_key_learns_that_it_works_and_nothing_else(server: Server) -> None:
    with httpx.Client(base_url=server.address) as client:
        assert client.get("/v1/health").json() == client.get("/checkHealth").json()
        assert client.get("/v1/health").json()["status"] == "ok"
        assert client.get("/v1/version").json() == client.get("/getVersion").json()
        page = client.get("/docs").text
        assert "/static-docs/swagger-ui-bundle.js" in page and not re.findall(r"(?:src|href)=.https?:", page)
        assert client.get("/static-docs/swagger-ui.css").status_code == 200
        assert {client.get(path).status_code for path in ("/metrics", "/v1/rulings", "/static-docs/../x")} == {401}


# --- what the operator sees -----------------------------------------------------------------------------------------


def test_nothing_of_a_ruling_stays_anywhere(server: Server) -> None:
    """After all that the tests above have sent, and what this one sends."""
    name = "Quistgaard-Abernathy's secret file.txt"
    with server.client() as client:
        for content in (TEXT, TEXT.replace("\n", "<br>")):
            client.post("/v1/anonymize", **as_form(content, name))
        made = client.post("/v1/rulings", **as_form(TEXT, name)).json()["id"]
        client.get(f"/v1/rulings/{made}", params={"wait": 30})
        client.delete(f"/v1/rulings/{made}")
        shown = client.get("/metrics").content
    time.sleep(1.2)  # the log written ahead is given up within a second
    files = server.files()
    assert {"log.jsonl", *(f"data/queue.sqlite{end}" for end in ("", "-wal", "-shm"))} <= set(files)
    secret = server.key.split("-", 2)[2]
    for path, content in (*files.items(), ("metrics", shown)):
        for word in (b"Quistgaard", b"Zebulon", b"Osei", b"Kelowna", b"secret file", secret.encode()):
            assert word not in content, (path, word)
    assert not any("work" in path for path in files)


def test_what_the_operator_need_not_see_is_not_shown(server: Server) -> None:
    assert not (server.data / "first.key").exists(), "it was read and removed, as the service says"
    limits = Path(f"/proc/{server.process.pid}/limits")
    if limits.exists():
        assert re.search(r"Max core file size +0 +0 ", limits.read_text()), "a core would hold keys and rulings"


def test_the_first_key_is_in_a_file_of_its_owner_and_is_not_printed(tmp_path: Path) -> None:
    command = ["serve", "--port", "0", "--workers", "1", "--data", str(tmp_path)]
    run = f"import sys; from aef.commands import main; sys.exit(main({command!r}))"
    process = subprocess.Popen([sys.executable, "-c", run], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    said = ""
    while "first.key" not in said and (line := process.stdout.readline()):
        said += line
    first = tmp_path / "first.key"
    assert first.stat().st_mode & 0o777 == 0o600
    process.terminate()
    said += process.communicate(timeout=120)[0]
    assert process.returncode == 0
    assert first.read_text().strip().split("-", 2)[2] not in said, "what is printed may be kept in a journal"


def test_figures_for_prometheus(server: Server) -> None:
    with server.client() as client:
        text = client.get("/metrics").text
    for name in ("aef_rulings_accepted_total", 'aef_rulings{priority="batch",state="queued"}', "aef_workers_ready 1.0"):
        assert name in text
    assert 'route="/v1/rulings/{ruling}"' in text and "passwd" not in text


def test_logs_are_lines_of_json(server: Server) -> None:
    requests = server.events("request")
    assert requests and {"time", "level", "request", "method", "route", "status", "ms", "client"} <= set(requests[0])
    assert not server.events("request_failed")
    libraries = {line["logger"] for line in server.events("library")}
    assert libraries <= {"python_multipart.multipart", "uvicorn.error"}  # of broken forms, and what is no HTTP


def test_a_worker_that_is_killed_is_missed_by_nobody(server: Server) -> None:
    with server.client() as client:
        made = [client.post("/v1/rulings", **as_form(TEXT * 20)).json()["id"] for _ in range(3)]
        os.kill(server.events("worker_ready")[-1]["pid"], signal.SIGKILL)
        states = [client.get(f"/v1/rulings/{ruling}", params={"wait": 60}).json() for ruling in made]
    assert [state["state"] for state in states] == ["done"] * 3
    assert len(server.events("worker_ready")) >= 2


# --- starts and stops -----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_stop_and_a_crash_lose_nothing(tmp_path: Path) -> None:
    first = started(tmp_path)
    with first.client() as client:
        made = [client.post("/v1/rulings", **as_form(TEXT * 30)).json()["id"] for _ in range(6)]
        assert main(["serve", "--data", str(first.data), "--port", "0"]) == 2  # the folder is taken
        assert first.stop() == 0
    first.process.wait()
    assert b"Quistgaard" not in b"".join(first.files().values())
    second = started(tmp_path, key=first.key)
    second.kill()
    third = started(tmp_path, "--max-time", "30", key=first.key)
    try:
        with third.client() as client:
            results = [client.get(f"/v1/rulings/{ruling}/result", params={"wait": 60}) for ruling in made]
        assert [result.status_code for result in results] == [200] * 6
        assert len({result.content for result in results}) == 1
    finally:
        assert third.stop() == 0


@pytest.fixture(scope="module")
def keyless(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A service that asks for no key, has no time, and room for one ruling."""
    with (
        running(
            tmp_path_factory.mktemp("keyless"),
            *("--workers", "1", "--reserved", "0", "--max-time", "0.05", "--max-queued", "1", "--no-auth"),
            key="-",
        ) as made,
        httpx.Client(base_url=made.address, timeout=60) as client,
    ):
        yield client
    assert made.events("worker_ended")[0]["why"] == "time_limit"


def test_a_ruling_that_takes_too_long_fails_and_says_so(keyless: httpx.Client) -> None:
    answer = keyless.post("/doAnonymization", json=as_json(TEXT * 200))
    assert (answer.status_code, answer.json()["code"]) == (422, "time_limit")
    assert "0.05 seconds" in answer.json()["detail"]
    state = keyless.get(f"/v1/rulings/{answer.json()['ruling']}").json()
    assert (state["state"], state["reason"]) == ("failed", "time_limit")


def test_a_full_queue_says_so(keyless: httpx.Client) -> None:
    answers = [keyless.post("/v1/rulings", **as_form(TEXT * 200)) for _ in range(4)]  # each costs a worker
    full = [answer for answer in answers if answer.status_code != 202]
    assert full and {(answer.status_code, answer.json()["code"]) for answer in full} == {(503, "queue_full")}
    assert int(full[0].headers["Retry-After"]) > 0


@pytest.mark.slow
def test_two_services_share_a_queue_in_postgresql(tmp_path: Path) -> None:
    """One of them hands in and the other fetches; what one was at when it was killed, the other does."""
    pytest.importorskip("psycopg")
    try:
        with postgres() as url:
            _share(url, tmp_path)
    except NotInstalled as missing:
        pytest.skip(str(missing))


def _share(url: str, folder: Path) -> None:
    (folder / "key").touch(0o600)
    (folder / "key").write_bytes(b64encode(bytes(32)))
    (folder / "url").touch(0o600)
    (folder / "url").write_text(f"{url}\n")
    shared = [
        "--queue-file",
        str(folder / "url"),
        "--queue-key",
        str(folder / "key"),
        "--keys",
        str(folder / "keys.json"),
    ]
    first = started(folder / "first", *shared)
    with running(folder / "second", "--workers", "1", "--reserved", "0", *shared, key=first.key) as second:
        with first.client() as one, second.client() as other:
            made = [one.post("/v1/rulings", **as_form(TEXT * 20)).json()["id"] for _ in range(8)]
            results = [other.get(f"/v1/rulings/{ruling}/result", params={"wait": 60}) for ruling in made]
            assert [result.status_code for result in results] == [200] * 8
            assert len({result.content for result in results}) == 1
            assert one.post("/doAnonymization", json=as_json()).json()["state"] == "done"
        assert first.stop() == 0
        with second.client() as other:
            assert other.post("/doAnonymization", json=as_json()).json()["state"] == "done"
    done = [len(server.events("ruling_ended")) for server in (first, second)]
    assert sum(done) == 10 and done[1] > 0


@pytest.mark.parametrize(
    ("header", "value"),
    [("Host", "evil.example"), ("Origin", "https://evil.example"), ("Origin", "null")],
)
def test_without_keys_no_foreign_page_gets_through(keyless: httpx.Client, header: str, value: str) -> None:
    answer = keyless.get("/v1/health", headers={header: value})
    assert (answer.status_code, answer.json()["code"][:6]) == (403, "wrong_")
    assert keyless.get("/v1/health", headers={"Origin": "http://localhost:8000"}).status_code == 200


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--no-auth", "--host", "0.0.0.0"], "--no-auth"),
        (["--workers", "0"], "one worker"),
        (["--port", "70000"], "port"),
        (["--queue", "mysql://x"], "PostgreSQL"),
        (["--queue", "nonsense"], "URL"),
        (["--queue-key", "missing"], "no such file"),
        (["--queue-key", "x" * 300], "xxx: File name too long"),  # as what may not be looked at: root may look at all
        (["--keys", "x" * 300], "xxx: File name too long"),
        (["check", "--data", "x" * 300], "xxx: File name too long"),
        (["--queue-file", "missing"], "cannot be read"),
        (["--queue-file", __file__], "is open to others"),
        (["--max-size", "-1"], "--max-size"),
        (["--scheme", "nonsense"], "unknown scheme"),
        (["--certificate", __file__], "go together"),
        (["--data", f"{__file__}/x"], "cannot be made"),
        (["--work", __file__], "cannot be made"),
        (["--log", "/dev/null/x"], "cannot be written"),
        (["--keys", __file__], "no file of API keys"),
        (["keys", "add", "a/b"], "no client's name"),
        (["keys", "add", "a", "--rights", "write"], "unknown right"),
        (["keys", "remove", "00000000"], "has no key"),
    ],
)
def test_settings_that_cannot_be(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["serve", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_without_its_libraries_it_says_how_to_get_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "aef.service.server", raising=False)
    assert main(["serve"]) == 2
    assert "pip install 'aef-anonymizer[service]'" in capsys.readouterr().err and list(tmp_path.iterdir()) == []


def test_a_work_folder_is_shared_with_nothing(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    one = Settings(tmp_path / "one", work=tmp_path).work_folder
    assert one.parent == tmp_path and one != Settings(tmp_path / "two", work=tmp_path).work_folder
    with service(Settings(tmp_path / "one", work=tmp_path)):
        assert one.stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_keys_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = ["--data", str(tmp_path)]
    assert main(["serve", "keys", "add", "registry", "--rights", "read", *data]) == 0
    token = capsys.readouterr().out.strip()
    assert token.startswith("aef-") and main(["serve", "keys", "list", *data]) == 0
    listing = capsys.readouterr().out
    assert "registry" in listing and "read" in listing and token not in listing
    assert main(["serve", "keys", "rotate", token.split("-")[1], "--overlap", "1", "--expires", "90", *data]) == 0
    renewed = capsys.readouterr().out.strip()
    assert [(row["name"], row["rights"]) for row in keys.listed(tmp_path / "keys.json")] == [("registry", "read")] * 2
    assert main(["serve", "keys", "remove", renewed.split("-")[1], *data]) == 0
    assert main(["serve", *data, "keys", "remove", token.split("-")[1]]) == 0
    assert keys.listed(tmp_path / "keys.json") == []
