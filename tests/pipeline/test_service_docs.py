"""docs/how-to/operation.md, tried in its order by somebody who has nothing else."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

pytest.importorskip("fastapi")

from aef.commands import main
from aef.service import keys
from aef.service.server import service
from aef.workers.settings import Settings

DOCS = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "operation.md"
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


def test_what_it_links_to_is_there() -> None:
    for link in re.findall(r"\]\((\.\.[^)]+)\)", DOCS.read_text("utf-8")):
        assert (DOCS.parent / link).exists(), link
