"""A batch with its rulings in an object store: the same outputs, each once, whatever stops it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fsspec", reason="the extra s3 is not installed")

from aef.batch.orders import Order
from aef.batch.pools import cluster
from aef.batch.recipe import Recipe
from aef.batch.run import run
from aef.batch.store import Sender, mirrored, opened
from aef.commands import main
from aef.errors import InputError

RULINGS = {
    "1.txt": "Mr. Millar left Nelson.",
    "Quist v Millar/a.txt": "Ms. Quist asks for costs.",
    "Quist v Millar/b.txt": "Mr. Millar and Ms. Quist agree.",
    "empty.txt": " ",
}
SAFE = {
    "1.txt": "Mr. AA left Nelson.",
    "folder-2/a.txt": "Ms. AA asks for costs.",
    "folder-2/b.txt": "Mr. AA and Ms. BB agree.",
}


@pytest.fixture(params=["file", "s3"])
def bucket(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a folder in a store, with the rulings in ``in``."""
    address = f"file://{tmp_path / 'store'}" if request.param == "file" else str(request.getfixturevalue("s3"))
    store, root = opened(address)
    for name, text in RULINGS.items():
        store.makedirs(f"{root}/in/{name}".rpartition("/")[0], exist_ok=True)
        store.pipe_file(f"{root}/in/{name}", text.encode())
    return address


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of an S3 server of our own."""
    pytest.importorskip("s3fs", reason="the extra s3 is not installed")
    pytest.importorskip("moto.server", reason="moto[server] is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while socket.socket().connect_ex(("127.0.0.1", port)):
        assert time.monotonic() < until and process.poll() is None
        time.sleep(0.1)
    yield f"http://127.0.0.1:{port}"
    process.kill()
    process.wait()


@pytest.fixture
def s3(server: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """An empty bucket, found as an operator's would be: by the environment."""
    given = {"AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x", "AWS_DEFAULT_REGION": "us-east-1"}
    for name, value in {**given, "AWS_ENDPOINT_URL": server}.items():
        monkeypatch.setenv(name, value)
    address = f"s3://court-{abs(hash(tmp_path))}"
    store, root = opened(address)
    store.mkdir(root)
    return f"{address}/2019"


def order_of(bucket: str, folder: Path) -> Order:
    """As the command makes one."""
    (folder / "names.txt").write_text("Millar\nQuist\n")
    recipe = Recipe(annotator=f"gazetteer:{folder / 'names.txt'}", scheme="letters")
    mirrored(f"{bucket}/in", folder / "state" / "in")
    state = folder / "state"
    return Order(state / "in", state / "out", recipe, fetch=f"{bucket}/in", put=f"{bucket}/safe")


def stored(bucket: str, folder: str = "safe") -> dict[str, str]:
    store, root = opened(f"{bucket}/{folder}")
    store.invalidate_cache()
    return {path[len(root) + 1 :]: store.cat_file(path).decode() for path in store.find(root)}


def test_rulings_of_a_store_go_into_a_store(bucket: str, tmp_path: Path) -> None:
    order = order_of(bucket, tmp_path)
    report = run(order)
    assert stored(bucket) == SAFE
    assert [(o.ruling, o.why) for o in report.refused] == [
        ("empty.txt", "holds no text: it is empty or white space alone")
    ]
    assert stored(bucket, "in") == RULINGS, "what is there stays"
    assert not [p for p in order.source.rglob("*.txt") if p.read_bytes().strip(b"\0")], "no ruling stays here"
    again = run(order_of(bucket, tmp_path))
    assert all(row.earlier for row in again.rows) and stored(bucket) == SAFE


def test_a_stop_at_any_step_loses_nothing_and_repeats_nothing(bucket: str, tmp_path: Path) -> None:
    class Stop(BaseException):
        pass

    put, puts = Sender._put, list[str]()
    for step in range(1, 9):
        left, before = [step], [False]

        def stopping(self: Sender, target: str, content: bytes, left: list[int] = left) -> bool:
            left[0] -= 1
            if left[0] == 0:
                raise Stop
            free = put(self, target, content)
            puts.append(target)
            left[0] -= 1
            if left[0] == 0:
                raise Stop
            return free

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Sender, "_put", stopping)
            try:
                run(order_of(bucket, tmp_path))
            except Stop:
                before[0] = True
        if not before[0]:
            break
    assert stored(bucket) == SAFE
    assert len(puts) - len(set(puts)) <= 1 + len(SAFE), "what was put and not noted is looked at once more"


def test_what_stands_in_an_output_s_place_stays(bucket: str, tmp_path: Path) -> None:
    store, root = opened(f"{bucket}/safe")
    store.makedirs(root, exist_ok=True)
    store.pipe_file(f"{root}/1.txt", b"somebody's")
    order = order_of(bucket, tmp_path)
    refused = {o.ruling: o.why for o in run(order).refused}
    assert "is there already" in refused["1.txt"] and stored(bucket)["1.txt"] == "somebody's"
    assert [o.ruling for o in run(replace(order, retry=True, force=True)).refused] == ["empty.txt"]
    assert stored(bucket) == SAFE


def test_what_is_gone_or_changed_is_told(bucket: str, tmp_path: Path) -> None:
    order = order_of(bucket, tmp_path)
    store, root = opened(f"{bucket}/in")
    store.rm_file(f"{root}/1.txt")
    assert "cannot be read" in {o.ruling: o.why for o in run(order).refused}["1.txt"]
    store.pipe_file(f"{root}/Quist v Millar/a.txt", b"Ms. Quist asks for nothing any more.")
    with pytest.raises(InputError, match="was changed"):
        run(order_of(bucket, tmp_path))
    assert run(replace(order_of(bucket, tmp_path), force=True)).refused[0].ruling == "empty.txt"
    assert stored(bucket)["folder-2/a.txt"] == "Ms. AA asks for nothing any more."


def test_what_a_dead_worker_had_fetched_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("Mr. Millar left.")
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    mine, dead = (tmp_path / f"aef-batch-{pid}-x" for pid in (os.getpid(), gone.pid))
    for folder in (mine, dead):
        folder.mkdir()
    lost = tmp_path / f"aef-batch-{gone.pid}-y"  # listed, and not there when it is looked at
    lost.symlink_to(tmp_path / "removed meanwhile")
    run(order_of(f"file://{tmp_path}", tmp_path))
    assert mine.exists() and not dead.exists()
    lost.unlink()
    assert [path.name for path in tmp_path.glob("aef-batch-*")] == [mine.name], "nothing is left of what was done"


@pytest.mark.slow
def test_a_cluster_without_a_folder_in_common(s3: str, tmp_path: Path) -> None:
    """A worker is killed in the middle."""
    distributed = pytest.importorskip("distributed", reason="the extra dask is not installed")
    store, root = opened(f"{s3}/in")
    many = {f"{number}.txt": f"Mr. Millar paid ${number}." for number in range(30)}
    for name, text in many.items():
        store.pipe_file(f"{root}/{name}", text.encode())
    order, killed = order_of(s3, tmp_path), list[int]()
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as workers,
        cluster(workers.scheduler_address, order.source, order.fetch) as pool,
    ):
        pids = list(pool.client.run(os.getpid).values())

        def kill_one(done: int, _: int) -> None:
            if done >= 5 and not killed:
                killed.append(pids[0])
                os.kill(pids[0], signal.SIGKILL)

        report = run(order, pool, kill_one)
    assert killed and not report.refused
    assert stored(s3) == {name: text.replace("Millar", "AA") for name, text in many.items()}


def test_the_command(bucket: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "names.txt").write_text("Millar\nQuist\n")
    given = ["--annotator", f"gazetteer:{tmp_path / 'names.txt'}", "--scheme", "letters"]
    command = ["batch", f"{bucket}/in", "-o", f"{bucket}/safe", *given]
    assert main(command) == 2 and "--state" in capsys.readouterr().err
    for _ in range(2):
        assert main([*command, "--state", str(tmp_path / "state")]) == 1  # one is refused
    assert stored(bucket) == SAFE


WRONG: list[tuple[str, list[str], str]] = [
    ("nosuch://bucket/in", ["--state", "STATE"], "cannot be reached"),
    ("s3://court/in", [], "--state"),
    ("s3://127.0.0.1", ["--state", "STATE"], "cannot be reached"),
    ("FOLDER", ["--state", "STATE"], "--state goes with"),
    ("file://FOLDER", ["--state", "STATE", "--cases", "folder", "--case-folder", "STATE/c"], "--cases"),
]


@pytest.mark.parametrize(("source", "options", "said"), WRONG, ids=[row[0] for row in WRONG])
def test_what_cannot_be_is_told(
    source: str, options: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("Mr. Millar left.")
    here = {"FOLDER": str(tmp_path / "in"), "STATE": str(tmp_path / "state")}
    for name, path in here.items():
        source, options = source.replace(name, path), [option.replace(name, path) for option in options]
    assert main(["batch", source, "-o", str(tmp_path / "safe"), *options]) == 2
    error = capsys.readouterr().err
    assert said in error and "Traceback" not in error and "Millar left" not in error
