"""A batch from begin to end: what is refused, crashes at every step, what was changed, cases, lost workers."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from aef.batch.orders import Order
from aef.batch.pools import Here, cluster, processes
from aef.batch.recipe import Recipe
from aef.batch.report import Report
from aef.batch.run import run
from aef.batch.state import Outcome, State
from aef.batch.work import Setting, Unit
from aef.errors import InputError

RULINGS = {
    "1.txt": "Mr. Millar left Nelson.",
    "2.txt": "Ms. Quist stayed. Mr. Millar left her.",
    "Quist v Millar/a.txt": "Ms. Quist asks for costs.",
    "Quist v Millar/b.txt": "Mr. Millar and Ms. Quist agree.",
    "Millar.txt": "Mr. Millar returned.",
    "empty.txt": " ",
}
SAFE = {
    "1.txt": "Mr. AA left Nelson.",
    "2.txt": "Ms. AA stayed. Mr. BB left her.",
    "folder-4/a.txt": "Ms. AA asks for costs.",
    "folder-4/b.txt": "Mr. AA and Ms. BB agree.",
    "AA.txt": "Mr. AA returned.",
}


@pytest.fixture
def order(tmp_path: Path) -> Order:
    for name, text in RULINGS.items():
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_text(text)
    (tmp_path / "names.txt").write_text("Millar\nQuist\n")
    recipe = Recipe(annotator=f"gazetteer:{tmp_path / 'names.txt'}", scheme="letters")
    return Order(tmp_path / "in", tmp_path / "out", recipe)


def outputs(order: Order) -> dict[str, str]:
    found = [p for p in order.output.rglob("*") if p.is_file() and ".aef-batch" not in p.parts]
    return {p.relative_to(order.output).as_posix(): p.read_text() for p in found}


def statuses(report: Report) -> dict[str, str]:
    return {row.outcome.ruling: row.outcome.status for row in report.rows}


def test_all_that_can_be_done_is_done(order: Order) -> None:
    (order.source / "notes.csv").write_text("a,b")
    report = run(order)
    assert outputs(order) == SAFE
    assert [(o.ruling, o.why) for o in report.refused] == [
        ("empty.txt", "holds no text: it is empty or white space alone")
    ]
    assert report.skipped == ("notes.csv",)
    assert not list((order.output / ".aef-batch" / "work").iterdir())
    written = json.loads((order.output / ".aef-batch" / "report.json").read_text())
    assert (written["done"], written["refused"], written["tokens"]) == (5, 1, 25)
    lines = (order.output / ".aef-batch" / "report.csv").read_text().splitlines()
    assert lines[0].startswith("ruling,case,status,why,output,seconds,tokens,replacements") and len(lines) == 7
    for name in ("report.json", "report.csv", "state.jsonl"):
        assert (order.output / ".aef-batch" / name).stat().st_mode & 0o077 == 0
        assert "asks for" not in (order.output / ".aef-batch" / name).read_text()


class Crash(BaseException):
    """What a kill does, where nothing can be caught."""


def crashing(function: Callable[..., Any], after: list[int]) -> Callable[..., Any]:
    """The function, with the crash just after so many calls."""

    def call(*arguments: Any, **options: Any) -> Any:
        result = function(*arguments, **options)
        after[0] -= 1
        if after[0] == 0:
            raise Crash
        return result

    return call


@pytest.mark.parametrize("cases", [False, True], ids=["single rulings", "cases"])
def test_a_crash_at_any_step_loses_nothing_and_repeats_nothing(
    order: Order, cases: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if cases:
        order = replace(order, cases="folder")
    import aef.anonymization

    steps = [(State, "_append"), (Path, "replace"), (os, "fsync")]
    anonymize = aef.anonymization.anonymize
    finished: list[str] = []

    def counted(source: Path, *arguments: Any, **options: Any) -> Any:
        result = anonymize(source, *arguments, **options)
        finished.append(Path(source).relative_to(order.source).as_posix())
        return result

    monkeypatch.setattr(aef.anonymization, "anonymize", counted)
    expected = None
    for step in range(1 + cases, 200, 3):
        again = replace(order, output=tmp_path / f"out{step}", case_folder=tmp_path / f"s{step}" if cases else None)
        with monkeypatch.context() as patch:
            left = [step]
            for owner, name in steps:
                patch.setattr(owner, name, crashing(getattr(owner, name), left))
            finished.clear()
            try:
                run(again)
            except Crash:
                pass
            else:
                break  # so many steps there are not
        known = set(State.open(again.output).outcomes) if again.output.exists() else set()
        once = [ruling for ruling in finished if ruling in known]
        finished.clear()
        report = run(again)
        assert not set(finished) & set(once), "what was recorded is not done again"
        assert len(statuses(report)) == len(RULINGS)
        expected = expected or outputs(again)
        assert outputs(again) == expected
        assert not list((again.output / ".aef-batch" / "work").iterdir())
    assert step > 40 and expected is not None and len(expected) == 5


def test_what_is_done_is_not_done_again(order: Order) -> None:
    run(order)
    times = {p: p.stat().st_mtime_ns for p in order.output.rglob("*.txt")}
    (order.source / "3.txt").write_text("Mr. Millar sold it.")
    (order.output / "1.txt").unlink()
    (order.source / "empty.txt").write_text("Mr. Millar sleeps.")
    report = run(order)
    now = [row.outcome.ruling for row in report.rows if not row.earlier]
    assert now == ["1.txt", "3.txt", "empty.txt"], "its output is gone; new; refused, and changed since"
    assert outputs(order) == {**SAFE, "3.txt": "Mr. AA sold it.", "empty.txt": "Mr. AA sleeps."}
    assert all(p.stat().st_mtime_ns == t for p, t in times.items() if p.name != "1.txt")


def test_refused_ones_are_tried_again_when_asked(order: Order) -> None:
    run(order)
    assert [row.earlier for row in run(order).of("refused")] == [True]
    assert [row.earlier for row in run(replace(order, retry=True)).of("refused")] == [False]


def test_a_changed_ruling_is_noticed(order: Order) -> None:
    run(order)
    (order.source / "Millar.txt").touch()
    run(order)  # touched, not changed
    (order.source / "Millar.txt").write_text("Ms. Quist returned.")
    with pytest.raises(InputError, match=r"Millar\.txt: was changed.*--force"):
        run(order)
    assert outputs(order) == SAFE
    run(replace(order, force=True))
    changed = {**SAFE, "Millar.txt": "Ms. AA returned."}
    del changed["AA.txt"]
    assert outputs(order) == changed, "its old output is gone: its name does not say what it should not now"


OTHERS: list[tuple[dict[str, Any], str]] = [
    ({"recipe": Recipe(annotator="nome")}, "(annotator, scheme)"),
    ({"allow_remaining": True}, "(allow remaining)"),
]


@pytest.mark.parametrize(("values", "what"), OTHERS, ids=[o[1] for o in OTHERS])
def test_other_settings_are_noticed(order: Order, values: dict[str, Any], what: str) -> None:
    run(order)
    with pytest.raises(InputError, match="holds a batch with other settings") as error:
        run(replace(order, **values))
    assert what in str(error.value) and outputs(order) == SAFE


def test_with_force_other_settings_begin_anew(order: Order, tmp_path: Path) -> None:
    run(order)
    (tmp_path / "names.txt").write_text("Millar\n")
    with pytest.raises(InputError, match="a list, a model, a policy or aef itself was changed"):
        run(order)
    run(replace(order, force=True))
    assert outputs(order)["Quist v AA/b.txt"] == "Mr. AA and Ms. Quist agree."
    assert not list(order.output.glob("folder-4/*"))


def test_labels_agree_within_a_case(order: Order, tmp_path: Path) -> None:
    ordered = replace(order, cases="folder", case_folder=tmp_path / "secret")
    run(ordered)
    found = outputs(order)
    assert found["folder-4/a.txt"] == "Ms. AA asks for costs."
    assert any(text == "Mr. BB and Ms. AA agree." for text in found.values()), "as in the first ruling"
    assert found["1.txt"] == SAFE["1.txt"], "beside the folders there is no case"
    assert [p.name for p in (tmp_path / "secret").iterdir()] == ["Quist v Millar.aefcase"]
    with pytest.raises(InputError, match="cases"):
        run(order)


def test_a_file_of_cases_orders_them_and_a_passphrase_seals_them(
    order: Order, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("cryptography", reason="the extra case is not installed")
    monkeypatch.setattr("aef.replacement.sealing.COST", 1 << 10)
    (tmp_path / "cases.json").write_text(json.dumps({"../2019/14": ["2.txt", "1.txt"]}))
    (tmp_path / "phrase.txt").write_text("open sesame\n")
    sealed = replace(
        order,
        cases=str(tmp_path / "cases.json"),
        case_folder=tmp_path / "secret",
        passphrase_file=str(tmp_path / "phrase.txt"),
    )
    run(sealed)
    assert outputs(order)["1.txt"] == "Mr. BB left Nelson.", "after the second, where he is BB"
    [file] = (tmp_path / "secret").iterdir()
    assert file.name.startswith("-2019-14-") and file.read_bytes().startswith(b"aef sealed")
    (tmp_path / "phrase.txt").write_text("close sesame\n")
    with pytest.raises(InputError, match="the passphrase is wrong"):
        run(replace(sealed, output=tmp_path / "out2"))
    (tmp_path / "cases.json").write_text(json.dumps({"other": ["1.txt"]}))
    (tmp_path / "phrase.txt").write_text("open sesame\n")
    with pytest.raises(InputError, match=r"1\.txt: was changed, or put into another case.* and 1 more"):
        run(sealed)


NAMES = [
    ("x" * 300, "longer than the name of a file may be"),
    ("é" * 200, "so in bytes"),
    ("Quist " * 60, "words"),
]


@pytest.mark.parametrize(("name", "reason"), NAMES, ids=[row[-1] for row in NAMES])
def test_a_case_with_a_long_name_has_a_file_of_its_own(order: Order, tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "cases.json").write_text(json.dumps({name: ["1.txt"], f"{name} II": ["2.txt"]}))
    report = run(replace(order, cases=str(tmp_path / "cases.json"), case_folder=tmp_path / "secret"))
    assert statuses(report)["1.txt"] == statuses(report)["2.txt"] == "done", reason
    assert len(list((tmp_path / "secret").iterdir())) == 2
    assert (tmp_path / "secret").stat().st_mode & 0o777 == 0o700, "nobody else sees what cases there are"


def test_other_metadata_of_a_case_are_noticed(order: Order, tmp_path: Path) -> None:
    recipe = replace(order.recipe, policy="lexum")
    in_case = replace(order, recipe=recipe, cases=str(tmp_path / "cases.json"), case_folder=tmp_path / "secret")

    def know(**metadata: list[str]) -> None:
        cases = {"A": {"files": ["1.txt", "empty.txt"], **metadata}, "B": ["2.txt"]}
        (tmp_path / "cases.json").write_text(json.dumps(cases))

    know(judges=["Millar J."])
    run(in_case)
    assert outputs(order)["1.txt"] == RULINGS["1.txt"], "a judge stays in clear"
    know(parties=["Alex Millar"])
    with pytest.raises(InputError, match=r"1\.txt: was changed.*under other metadata.*--force"):
        run(in_case)
    report = run(replace(in_case, force=True))
    assert outputs(order)["1.txt"] == SAFE["1.txt"]
    assert [row.outcome.ruling for row in report.rows if not row.earlier] == ["1.txt", "empty.txt"], "those of the case"
    know()
    with pytest.raises(InputError, match="under other metadata"):
        run(in_case)


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are Unicode there")
def test_names_of_files_that_are_no_unicode(order: Order) -> None:
    Path(os.fsdecode(bytes(order.source) + b"/caf\xe9 Millar.txt")).write_text("Mr. Millar left.")
    report = run(order)
    assert outputs(order)["caf\udce9 AA.txt"] == "Mr. AA left."
    assert "caf\\udce9" in report.as_csv() and json.loads(report.as_json())["done"] == 6
    assert all(row.earlier for row in run(order).rows)


WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"output": "in/out"}, "one folder is inside the other", "output inside the input"),
    ({"output": "."}, "one folder is inside the other", "input inside the output"),
    ({"output": "in"}, "one folder is inside the other", "one folder for both"),
    ({"output": "names.txt"}, "is a file", "output is a file"),
    ({"source": "nosuch"}, "no such folder", "no input"),
    ({"cases": "folder"}, "--cases needs --case-folder", "no place for case files"),
    ({"case_folder": "s"}, "--case-folder goes with --cases", "no cases"),
    ({"cases": "folder", "case_folder": "out/s"}, "is inside the output folder", "secrets among what is published"),
    ({"cases": "folder", "case_folder": "names.txt"}, "is a file", "a file for case files"),
    ({"cases": "nosuch.csv", "case_folder": "s"}, "no such file", "no file of cases"),
    ({"passphrase_file": "names.txt"}, "--passphrase-file goes with --cases", "nothing to seal"),
    ({"timeout": 0.0}, "timeout 0: a number of seconds", "no time"),
    ({"recipe": Recipe(annotator="nosuch")}, "'nosuch' is no pipeline", "no such annotator"),
]


@pytest.mark.parametrize(("values", "message", "why"), WRONG, ids=[w[2] for w in WRONG])
def test_what_is_wrong_is_told_before_the_first_ruling(
    order: Order, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, values: dict[str, Any], message: str, why: str
) -> None:
    monkeypatch.chdir(tmp_path)
    given = {k: Path(v) if k in ("output", "source", "case_folder") else v for k, v in values.items()}
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(InputError, match=message):
        run(replace(order, **given))
    assert sorted(tmp_path.rglob("*")) == before, why


def test_foreign_files_in_the_output_folder(order: Order) -> None:
    order.output.mkdir()
    (order.output / "1.txt").write_text("foreign")
    with pytest.raises(InputError, match=r"1\.txt: exists already"):
        run(order)
    run(replace(order, force=True))
    assert outputs(order) == SAFE


def test_a_damaged_state_is_told_and_begun_anew_by_force(order: Order) -> None:
    run(order)
    path = order.output / ".aef-batch" / "state.jsonl"
    path.write_bytes(b"{}\n" + path.read_bytes())
    with pytest.raises(InputError, match="is damaged"):
        run(order)
    assert statuses(run(replace(order, force=True)))["1.txt"] == "done" and outputs(order) == SAFE


def test_an_error_of_ours_refuses_one_ruling_and_tells_no_text(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    import aef.replacement.plan

    real = aef.replacement.plan.plan

    def plan(document: Any, *arguments: Any, **options: Any) -> Any:
        if "Nelson" in document.text:
            raise KeyError(document.text)
        return real(document, *arguments, **options)

    monkeypatch.setattr("aef.anonymization.run.plan", plan)
    report = run(order)
    assert [o.ruling for o in report.refused] == ["1.txt", "empty.txt"]
    assert "KeyError" in report.refused[0].why and "Millar" not in report.refused[0].why


def test_names_that_remain_refuse_a_ruling(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "aef.anonymization.run.leaks", lambda content, *_: ["a footnote"] if b"Nelson" in content else []
    )
    [refused, _] = run(order).refused
    assert (refused.ruling, refused.why) == ("1.txt", "hidden names can still be read in: a footnote")
    assert refused.figures["remaining"] == 1 and "1.txt" not in outputs(order)
    run(replace(order, allow_remaining=True, output=order.output.with_name("all")))
    assert outputs(replace(order, output=order.output.with_name("all"))) == SAFE


# --- lost workers ---------------------------------------------------------------------------------------------------


class Lost(Exception):
    """A worker died."""


class Mortal(Here):
    """Workers of which all under way die when one gets a deadly ruling; they may have done some of it before."""

    window = 3

    def __init__(self, deadly: dict[str, int]) -> None:
        self.deadly = deadly  # how often yet

    def submit(self, setting: Setting, unit: Unit) -> Any:
        for number, ruling in enumerate(unit.rulings):
            if self.deadly.get(ruling, 0):
                self.deadly[ruling] -= 1
                if number:
                    super().submit(setting, replace(unit, rulings=unit.rulings[:number])).result()
                future: Future[list[Outcome]] = Future()
                future.set_exception(Lost())
                return future
        return super().submit(setting, unit)

    def lost(self, error: BaseException) -> bool:
        return isinstance(error, Lost)


@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_ruling_of_which_workers_die_is_refused_and_only_that(order: Order, tmp_path: Path, times: int) -> None:
    order = replace(order, cases="folder", case_folder=tmp_path / "secret")
    deadly = {"1.txt": times, "Quist v Millar/b.txt": 1}
    report = run(order, Mortal(deadly))
    refused = {o.ruling: o.why for o in report.refused}
    assert ("1.txt" in refused) == (times == 3), "once among others, twice alone"
    assert set(refused) - {"1.txt"} == {"empty.txt"}
    assert any("BB and Ms. AA agree" in text for text in outputs(order).values())


def test_a_ruling_that_hangs_is_refused_and_only_that(order: Order, tmp_path: Path) -> None:
    (tmp_path / "slow.toml").write_text(
        "[[pattern]]\nname = 'slow'\nclass = 'CODE'\nfind = 'X(?:a|aa)+[bc]!'\nmatch = ['Xaab!']\nmiss = ['b']\n"
    )
    (order.source / "1.txt").write_text("X" + "a" * 200 + " b!")
    recipe = Recipe(annotator=f"patterns:{tmp_path / 'slow.toml'}")
    with processes(1) as pool:
        report = run(replace(order, recipe=recipe, timeout=4), pool)
    refused = {o.ruling: o.why for o in report.refused}
    assert set(refused) == {"1.txt", "empty.txt"} and "takes more than 4 seconds" in refused["1.txt"]


@pytest.fixture
def many(order: Order, tmp_path: Path) -> Order:
    """Some rulings more, half of them in four cases."""
    for number in range(12):
        folder = order.source / (f"c{number % 4}" if number < 6 else ".")
        folder.mkdir(exist_ok=True)
        (folder / f"m{number:02}.txt").write_text(f"Mr. Millar met Ms. Quist on day {number}. " * 40)
        (folder / f"n{number:02}.txt").write_text(f"Ms. Quist met Mr. Millar on day {number}. " * 40)
    return replace(order, cases="folder", case_folder=tmp_path / "secret")


def alone(order: Order) -> dict[str, str]:
    """The outputs of the same order in this process."""
    again = replace(order, output=order.output.with_name("alone"), case_folder=order.output.with_name("other"))
    run(again)
    return outputs(again)


@pytest.mark.slow
def test_a_killed_process_is_replaced(many: Order) -> None:
    killed = []
    with processes(2) as pool:

        def kill_one(done: int, _: int) -> None:
            if done >= 5 and not killed:
                killed.append(next(iter(pool.executor._processes)))
                os.kill(killed[0], signal.SIGKILL)

        report = run(many, pool, kill_one)
    assert killed and [o.ruling for o in report.refused] == ["empty.txt"]
    assert outputs(many) == alone(many)


def test_no_process_is_no_pool() -> None:
    with pytest.raises(InputError, match="--jobs 0"), processes(0):
        raise AssertionError


@pytest.mark.slow
def test_a_cluster_gives_the_same_also_when_a_worker_is_killed(many: Order) -> None:
    distributed = pytest.importorskip("distributed", reason="the extra dask is not installed")
    killed: list[int] = []
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as workers,
        cluster(workers.scheduler_address, many.source) as pool,
    ):
        pids = list(pool.client.run(os.getpid).values())

        def kill_one(done: int, _: int) -> None:
            if done >= 5 and not killed:
                killed.append(pids[0])
                os.kill(pids[0], signal.SIGKILL)

        report = run(many, pool, kill_one)
    assert killed and [o.ruling for o in report.refused] == ["empty.txt"]
    assert outputs(many) == alone(many)


def test_a_cluster_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    monkeypatch.setattr("aef.batch.pools.ANSWER", 0.5)
    with pytest.raises(InputError, match="no Dask scheduler answers"), cluster("tcp://127.0.0.1:1", tmp_path):
        raise AssertionError


def test_special_files_and_links_out_of_the_folder_are_reported(order: Order, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.txt").write_text("Mr. Millar told it elsewhere.")
    os.mkfifo(order.source / "pipe.txt")
    (order.source / "device.txt").symlink_to("/dev/zero")
    (order.source / "out.txt").symlink_to(tmp_path / "elsewhere.txt")
    (order.source / "gone.txt").symlink_to("nowhere.txt")
    (order.source / "circle.txt").symlink_to("circle.txt")
    (order.source / "inside.txt").symlink_to("1.txt")
    refused = {"pipe.txt": "regular", "device.txt": "regular", "out.txt": "outside", "gone.txt": "cannot be read",
               "circle.txt": "cannot be read"}  # fmt: skip
    for _ in range(2):  # the second time the first one's outcomes are looked at
        rows = {row.outcome.ruling: row.outcome for row in run(order).rows}
        assert {name: rows[name].status for name in refused} == dict.fromkeys(refused, "refused")
        assert all(word in rows[name].why for name, word in refused.items())
        assert rows["inside.txt"].done, "a link within the folder"
    assert not any("elsewhere" in text for text in outputs(order).values())
    (order.source / "pipe.txt").unlink()
    (order.source / "pipe.txt").write_text("Mr. Millar is a file now.")
    assert {row.outcome.ruling: row.outcome.done for row in run(order).rows}["pipe.txt"]
