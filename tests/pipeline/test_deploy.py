"""What an operator takes from ``deploy/``: as far as it can be tried without the machines it is for."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import httpx
import pytest

pytest.importorskip("fastapi")

from aef.commands import main
from aef.workers.metrics import Metrics

yaml = pytest.importorskip("yaml")
DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
RULES = DEPLOY / "prometheus" / "aef.rules.yml"
RUN = shlex.split(os.environ.get("AEF_RUN_IMAGE", ""))
"""How the image is run here: ``docker run --network host aef``."""
SECTIONS = re.compile(r"\baef_[a-z_]+")


def given() -> set[str]:
    """The names of all figures that the service gives."""
    metrics = Metrics()
    metrics.watch(lambda: {("queued", 0): 1}, lambda: 1.0, lambda: 1)
    for counter, labels in ((metrics.accepted, 1), (metrics.refused, 1), (metrics.ended, 1), (metrics.restarts, 1)):
        counter.labels(*["x"] * labels).inc()
    metrics.requests.labels("GET", "/", 200).inc()
    metrics.work.observe(1)
    metrics.request.labels("/").observe(1)
    lines = metrics.text().decode().splitlines()
    return {re.match(r"\w+", line)[0] for line in lines if not line.startswith("#")}  # type: ignore[index]


def expressions() -> list[str]:
    rules = yaml.safe_load(RULES.read_text("utf-8"))["groups"][0]["rules"]
    panels: list[dict[str, Any]] = json.loads((DEPLOY / "grafana" / "aef.json").read_text("utf-8"))["panels"]
    return [rule["expr"] for rule in rules] + [target["expr"] for panel in panels for target in panel["targets"]]


def test_alerts_and_dashboard_ask_for_figures_that_the_service_gives() -> None:
    asked = {name for expression in expressions() for name in SECTIONS.findall(expression)}
    assert asked and asked - given() == set()


def test_every_figure_is_shown_or_watched() -> None:
    asked = {name for expression in expressions() for name in SECTIONS.findall(expression)}
    shown = {re.sub(r"_(bucket|sum|count|created|total)$", "", name) for name in asked}
    assert {re.sub(r"_(bucket|sum|count|created|total)$", "", name) for name in given()} - shown == set()


@pytest.mark.skipif(not shutil.which("promtool"), reason="promtool is not installed")
def test_prometheus_takes_the_rules() -> None:
    done = subprocess.run(["promtool", "check", "rules", str(RULES)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_takes_the_units(tmp_path: Path) -> None:
    """With this Python in the place of the program, which is not installed where the units look for it."""
    for unit in (DEPLOY / "systemd").iterdir():
        (tmp_path / unit.name).write_text(unit.read_text("utf-8").replace("/opt/aef/bin/aef", sys.executable))
    units = [str(path) for path in tmp_path.iterdir()]
    done = subprocess.run(["systemd-analyze", "verify", *units], capture_output=True, text=True, check=False)
    ours = [line for line in done.stderr.splitlines() if "aef" in line]
    assert not ours, done.stderr
    asked = ["systemd-analyze", "security", "--offline=true", "--threshold=25", str(tmp_path / "aef.service")]
    judged = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert judged.returncode == 0, judged.stdout[-500:] + judged.stderr


def test_the_image_has_what_a_court_asks_of_one() -> None:
    lines = [line for line in (DEPLOY / "Dockerfile").read_text("utf-8").splitlines() if not line.startswith("#")]
    words = [line.split() for line in lines if line and not line.startswith(" ")]
    made = [line for line in words if line[0] == "FROM"]
    assert len(made) == 2 and all(":" in line[1] and not line[1].endswith("latest") for line in made), "multi-stage"
    last = words[max(i for i, line in enumerate(words) if line[0] == "FROM") :]
    user = next(line[1] for line in last if line[0] == "USER")
    assert user.split(":")[0] not in ("root", "0"), "non-root"
    assert any(line[0] == "HEALTHCHECK" for line in last) and ["ENTRYPOINT", '["aef",', '"serve"]'] in last
    assert not any("pip" in line for line in last), "nothing is built in what runs"


@pytest.mark.slow
@pytest.mark.skipif(not RUN, reason="AEF_RUN_IMAGE tells no way to run the image ('docker run --network host aef')")
def test_the_image_serves_without_root_and_without_writing_into_itself() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    name, settings = f"aef-{port}", ("HOST=127.0.0.1", f"PORT={port}", "WORKERS=1")
    given = [word for setting in settings for word in ("--env", f"AEF_SERVE_{setting}")]
    closed = ["--read-only", "--tmpfs=/tmp:mode=1777,size=64m", "--cap-drop=ALL", "--security-opt=no-new-privileges"]
    subprocess.run([*RUN[:2], "--detach", "--rm", f"--name={name}", *closed, *given, *RUN[2:]], check=True)

    health = json.loads((DEPLOY / "Dockerfile").read_text("utf-8").partition(" CMD ")[2].partition("\n")[0])

    def inside(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([RUN[0], "exec", name, *command], capture_output=True, text=True, check=False)

    try:
        while inside(*health).returncode:
            assert inside("true").returncode == 0, "it runs"
            time.sleep(1)
        assert inside("id", "-u").stdout.strip() not in ("", "0")
        assert inside("touch", "/opt/aef/x").returncode and not inside("touch", "/data/x").returncode
        header = {"Authorization": f"Bearer {inside('cat', '/data/first.key').stdout.strip()}"}
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=header, timeout=60) as client:
            safe = client.post("/v1/anonymize", files={"file": ("ruling.txt", "Between: Mr. Adam Hale, Plaintiff.")})
        assert safe.status_code == 200 and "Hale" not in safe.text and "Plaintiff" in safe.text
    finally:
        stopped = subprocess.run([RUN[0], "stop", "--time=60", name], check=False)
    assert stopped.returncode == 0


def test_what_the_image_takes_in_is_there() -> None:
    root = DEPLOY.parent
    named = [line[1:] for line in (root / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")]
    assert [name for name in named if not (root / name).exists()] == []


def test_compose_names_what_there_is() -> None:
    content = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    service = content["services"]["aef"]
    assert service["read_only"] and service["cap_drop"] == ["ALL"]
    assert all(address.startswith("127.0.0.1:") for address in service["ports"]), "HTTPS is the proxy's"
    for made in content["services"].values():
        assert set(made["secrets"]) <= set(content["secrets"])
        assert {volume.split(":")[0] for volume in made["volumes"]} <= set(content["volumes"])


def test_the_settings_are_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    environment = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]["aef"]["environment"]
    for name, value in environment.items():
        if not name.endswith(("_FILE", "_KEY")):
            monkeypatch.setenv(name, value)
    text = (DEPLOY / "aef.toml").read_text("utf-8").replace("/var/lib/aef", str(tmp_path / "data"))
    commented = re.sub(r"^# (?=[a-z-]+ = |\[)", "", text, flags=re.MULTILINE)
    for number, content in enumerate((text, commented)):
        (tmp_path / "aef.toml").write_text(content)
        tomllib.loads(content)
        assert main(["serve", "--config", "aef.toml", "check"]) == (0, 2)[number]
        told = capsys.readouterr().err
        assert "no setting" not in told, "what is told of the second is that its files are not here"
