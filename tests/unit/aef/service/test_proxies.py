"""Who asks, and how, is believed of named proxies alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from serving import serving_with

from aef.service import keys
from aef.workers.audit import segments
from aef.workers.settings import Limits, Settings

FORWARDED = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"}


@pytest.mark.parametrize(
    ("proxies", "seen", "secure"),
    [(("127.0.0.1",), "203.0.113.9", True), (("10.0.0.5",), "127.0.0.1", False), ((), "127.0.0.1", False)],
    ids=["a named proxy", "another is named", "none is named"],
)
def test_forwarded_headers(tmp_path: Path, proxies: tuple[str, ...], seen: str, secure: bool) -> None:
    settings = Settings(tmp_path / "data", port=0, limits=Limits(), log=tmp_path / "log", proxies=proxies)
    with serving_with(settings) as service, service.client() as client:
        key = keys.add(settings.keys, "editor", ["review"])
        entered = client.post("/enter/", json={"key": key}, headers=FORWARDED, follow_redirects=False)
        assert ("; Secure" in entered.headers["set-cookie"]) == secure
    lines = [json.loads(line) for line in segments(settings.audit)[-1].read_text().splitlines()]
    assert [line["from"] for line in lines if line["what"] == "entered"] == [seen]
