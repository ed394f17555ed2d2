"""docs/how-to/operation.md, tried in its order by somebody who has nothing else."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import socket
import ssl
import subprocess
import sys
import time
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import httpx
import pytest

pytest.importorskip("fastapi")

from aef.commands import main
from aef.service import keys
from aef.service.server import service
from aef.workers.settings import Settings

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DOCS = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "operation.md"
TRIAL = re.compile(r"^```bash\n(.*?)^```", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```shell\n(.*?)^```", re.MULTILINE | re.DOTALL)


def commands() -> list[list[str]]:
    lines = [line for block in BLOCK.findall(DOCS.read_text("utf-8")) for line in block.splitlines()]
    return [shlex.split(line)[1:] for line in lines if line.startswith("aef ")]


def test_the_commands_do_what_they_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("aef.toml").write_text('data = "service"\n[limits]\nsize = 20\n')
    with service(Settings(Path("service"))) as made:  # "while the service runs"
        for command in commands()[:-2]:
            assert main(command) == 0, (command, capsys.readouterr().err)
        assert made.pool.queue.counts() == {}
    Path("queue.key").write_bytes(Path("service/queue.key").read_bytes())
    Path("queue.key").chmod(0o600)
    for command in commands()[-2:]:
        assert main([*command, "--queue-key", "queue.key"]) == 0, (command, capsys.readouterr().err)
    assert {row["name"]: row["rights"] for row in keys.listed(Path("again/keys.json"))} == {
        "registry": "submit,read,urgent",
        "archive": "submit,read",
        "editor": "review",
        "chief": "admin",
    }
    with service(Settings(Path("again"), key_file=Path("new.key"))):
        pass


class Terminal:
    """A shell in a folder, in which one goes on after each block; what it prints goes to a file."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.output, self._done = folder, folder / "terminal.log", folder / "block done"
        environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
        with self.output.open("w") as output:
            self.process = subprocess.Popen(
                ["bash", "-em"], cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=output, stderr=output
            )

    def run(self, block: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{block}\ntouch '{self._done}'\n".encode())
        self.process.stdin.flush()
        until = time.monotonic() + 180
        while not self._done.exists():
            assert self.process.poll() is None and time.monotonic() < until, (block, self.output.read_text())
            time.sleep(0.1)
        self._done.unlink()

    def close(self) -> None:
        """End it, and what it left running."""
        assert self.process.stdin is not None
        with suppress(OSError):
            self.process.stdin.write(b"kill $(jobs -p)\n")
            self.process.stdin.close()
        self.process.wait(60)


def reviewed(folder: Path, port: int) -> None:
    """What the editor does in the browser; by requests, as the page sends them, where there is none."""
    key = (folder / "editor.key").read_text().strip()
    ruling = json.loads((folder / "handed-in.json").read_text())["id"]
    if CHROMIUM is not None and find_spec("playwright") is not None:
        in_browser(f"https://localhost:{port}/edit/", key)
        return
    context = ssl.create_default_context(cafile=folder / "tls.pem")
    with httpx.Client(base_url=f"https://localhost:{port}", verify=context, timeout=60) as page:
        page.post("/enter/", json={"key": key})
        shown = page.get(f"/edit/api/{ruling}").json()
        done = page.post(f"/edit/api/{ruling}/finish", json={"version": shown["version"]}).json()
        assert done["written"]


def in_browser(address: str, key: str) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(ignore_https_errors=True)
        page.set_default_timeout(120_000)
        page.goto(address)
        page.fill("#key", key)
        page.click("#go")
        page.wait_for_selector("#question h3")
        while (asked := page.query_selector("#question kbd")) is not None:
            before = page.inner_text("#question")
            page.keyboard.press("y" if page.query_selector(".listed") else asked.inner_text())
            page.wait_for_function("before => document.querySelector('#question').innerText !== before", arg=before)
        page.click("#finish")
        assert "beside" not in page.inner_text("#dialog")
        page.click("text=Give it back")
        page.wait_for_selector("#dialog-body a")
        assert "Given back" in page.inner_text("#dialog")
        browser.close()


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("curl") or not shutil.which("openssl"), reason="needs curl and openssl")
def test_the_trial_goes_as_it_says(tmp_path: Path) -> None:
    """With another port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    blocks = [block.replace("8443", str(port)) for block in TRIAL.findall(DOCS.read_text("utf-8"))]
    assert len(blocks) == 5
    terminal = Terminal(tmp_path)
    try:
        for block in blocks[:3]:
            terminal.run(block)
        reviewed(tmp_path, port)
        for block in blocks[3:]:
            terminal.run(block)
    finally:
        terminal.close()
    results = [(tmp_path / name).read_text() for name in ("safe.txt", "reviewed.txt")]
    assert all("lives in" in text and "Hale" not in text for text in results)
    assert {(tmp_path / f"{name}.key").stat().st_mode & 0o777 for name in ("registry", "editor")} == {0o600}


def test_what_it_links_to_is_there() -> None:
    for link in re.findall(r"\]\((\.\.[^)]+)\)", DOCS.read_text("utf-8")):
        assert (DOCS.parent / link).exists(), link
