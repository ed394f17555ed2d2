"""A process killed at any moment leaves no output, or a whole one that holds no name."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import docx
import pytest

from aef.verification.search import Sought, verify

CHILD = """
import sys
from itertools import count
from aef.anonymization import anonymize
for i in count():
    anonymize("in.docx", f"out/{i}.docx", mentions=[], include=["Zwetkow"])
    print("ready", flush=True)
"""
KILLS = 4


@pytest.mark.slow
def test_kill(tmp_path: Path) -> None:
    document = docx.Document()
    for number in range(40):
        document.add_paragraph(f"[{number}] Ms. Zwetkow left, and so did Mr. Roe.")
    document.save(str(tmp_path / "in.docx"))
    chance, complete = random.Random(7), 0
    for _ in range(KILLS):
        child = subprocess.Popen([sys.executable, "-c", CHILD], cwd=tmp_path, stdout=subprocess.PIPE)
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        time.sleep(chance.uniform(0, 0.4))
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        for path in (tmp_path / "out").glob("*.docx"):
            if path.name[0] != ".":
                assert verify(path.read_bytes(), Sought.of(["Zwetkow"])) == []
                assert "did Mr. Roe." in docx.Document(str(path)).paragraphs[-1].text
                complete += 1
            path.unlink()
    assert complete > 0, "else nothing is shown"
