"""A folder of rulings into a folder of anonymized ones: what is to be done, given to workers, taken from them."""

from __future__ import annotations

import hashlib
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from queue import Empty, SimpleQueue

from aef.batch.orders import Order, check_folders, check_outputs, check_passphrase
from aef.batch.pools import Here, Pool, Work
from aef.batch.publishing import Publisher
from aef.batch.recipe import Recipe
from aef.batch.report import Report, Row
from aef.batch.rulings import Cases, find_cases, find_rulings, must_be_inside
from aef.batch.state import REFUSED, Outcome, State, digest_of, locked
from aef.batch.store import senders
from aef.batch.work import Setting, Unfit, Unit
from aef.corpus_tools.files import write_atomic
from aef.errors import InputError
from aef.roles.metadata import digest

DEATHS = 2
"""So many workers may die of one ruling, alone at work, before it is refused."""
PATIENCE = 60.0
"""Seconds without a result after which it is asked whether there are workers."""

Watch = Callable[[int, int], None]
"""Called with the number of rulings that are decided, and of all."""


def run(order: Order, pool: Pool | None = None, watch: Watch = lambda done, total: None) -> Report:
    """Anonymize all rulings of a folder that are not done yet.

    Without a pool the work is done in this process. Raises `InputError` for what is wrong with the order, before the
    first ruling; and where the workers are lost or the disk is full. What was done until then is kept, and the same
    order goes on from there.
    """
    started = time.perf_counter()
    check_folders(order)
    found = find_rulings(order.source)
    cases = find_cases(order.cases, found.rulings)
    recipe = order.recipe.resolved()
    header = _header(order, recipe)
    sealed = check_passphrase(order)
    if not State(order.output).path.exists():
        recipe.load()  # what is wrong with it is said before a folder is made
        check_outputs(order, found.rulings)
    with locked(order.output):
        state = _state(order, header, found.rulings, cases)
        setting = Setting(
            str(order.source.resolve()),
            str(state.work.resolve()),
            recipe,
            header["fingerprint"],
            order.allow_remaining,
            sealed,
            order.passphrase_file and str(Path(order.passphrase_file).resolve()),
            order.timeout if pool is not None else None,
            order.fetch,
        )
        return _Run(order, state, setting, cases, found.rulings, pool or Here(), watch).report(found.others, started)


# --- what was done before -------------------------------------------------------------------------------------------


def _header(order: Order, recipe: Recipe) -> dict[str, str]:
    """What must be the same where a batch goes on. What is always hidden is not told, but is in the fingerprint."""
    told = {key: value for key, value in recipe.as_dict().items() if key not in ("include", "exclude")}
    settings = {
        **told,
        "allow_remaining": order.allow_remaining,
        "cases": order.cases is not None,
    }
    folder = order.case_folder.resolve() if order.case_folder else None
    return {"fingerprint": recipe.fingerprint(), "case_folder": str(folder), **{k: str(v) for k, v in settings.items()}}


def _state(order: Order, header: dict[str, str], rulings: Sequence[str], cases: Cases) -> State:
    """The state to go on from, with the outcomes that still hold."""
    state = _opened(order)
    if state.header is not None and (differing := _differing(state.header, header)):
        if not order.force:
            remedy = "Give the same settings, name another output folder, or start anew with --force"
            what = ", ".join(differing)
            raise InputError.at(order.output, f"holds a batch with other settings ({what})", remedy=remedy)
        state.remove_all()
    if state.header is None:
        check_outputs(order, rulings)
        state.begin(header)
    for outcome in state.harvest(rulings):
        state.add(outcome)
    for ruling in _outdated(order, state, rulings, cases):
        state.again(ruling)
    state.sweep()
    return state


def _opened(order: Order) -> State:
    try:
        return State.open(order.output)
    except InputError:
        if not order.force:
            raise
        state = State(order.output)
        state.remove_all()
        return state


def _differing(before: dict[str, str], now: dict[str, str]) -> list[str]:
    keys = sorted((before.keys() | now.keys()) - {"format", "version"})
    differing = [key for key in keys if before.get(key) != now.get(key)]
    named = [key.replace("_", " ") for key in differing if key != "fingerprint"]
    return named or (["a list, a model, a policy or aef itself was changed"] if differing else [])


def _outdated(order: Order, state: State, rulings: Sequence[str], cases: Cases) -> list[str]:
    """The rulings to be done again: whose output is gone, that were refused and have changed or are to be retried;
    and by force those that were changed, or put into another case or under other metadata, since they were done."""
    again, changed = [], []
    case_of, known = cases.of(), {case: digest(metadata) for case, metadata in cases.metadata.items()}
    for ruling in rulings:
        outcome = state.outcomes.get(ruling)
        if outcome is None:
            continue
        case = case_of.get(ruling)
        moved = (outcome.case, outcome.metadata) != (case, known.get(case or "", ""))
        other = moved or _changed(order.source, outcome)
        if other and outcome.done:
            changed.append(ruling)
        elif other or (outcome.status == REFUSED and order.retry) or (outcome.done and not state.is_there(ruling)):
            again.append(ruling)
    if changed and not order.force:
        many = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        problem = f"was changed, or put into another case or under other metadata, since it was anonymized{many}"
        raise InputError.at(order.source / changed[0], problem, remedy="Do it again with --force, or name a new output")
    return again + changed


def _changed(source: Path, outcome: Outcome) -> bool:
    path = source / outcome.ruling
    try:
        must_be_inside(path, source)
        status = path.stat()
        if (status.st_size, status.st_mtime_ns) == (outcome.size, outcome.mtime):
            return False
        return digest_of(path) != outcome.sha256
    except (OSError, InputError):
        return outcome.sha256 != ""  # it cannot be read now; it could be before


# --- the work -------------------------------------------------------------------------------------------------------


class _Run:
    """A batch under way."""

    def __init__(
        self,
        order: Order,
        state: State,
        setting: Setting,
        cases: Cases,
        rulings: Sequence[str],
        pool: Pool,
        watch: Watch,
    ) -> None:
        self.order = order
        self.state = state
        self.setting = setting
        self.cases = cases
        self.rulings = rulings
        self.pool = pool
        self.watch = watch
        self.earlier = {ruling for ruling in rulings if ruling in state.outcomes}
        self.decided = len(self.earlier)
        self.publisher = Publisher(state, rulings, order.force, self._refuse, *senders(order, state))
        self.deaths: Counter[str] = Counter()

    def report(self, skipped: Sequence[str], started: float) -> Report:
        """Do all the work, and tell what became of it."""
        for ruling in self.rulings:
            if ruling in self.earlier:
                self.publisher.settle(ruling)
        self._work_off(self._units())
        self.state.sweep()
        rows = [Row(self.state.outcomes[r], self.state.published.get(r, ""), r in self.earlier) for r in self.rulings]
        report = Report(rows, skipped, time.perf_counter() - started)
        write_atomic(self.state.folder / "report.json", report.as_json(), force=True, private=True)
        write_atomic(self.state.folder / "report.csv", report.as_csv(), force=True, private=True)
        return report

    def _units(self) -> list[Unit]:
        """What is left to do, the longest first."""
        left = [ruling for ruling in self.rulings if ruling not in self.state.outcomes]
        case_of, wanted = self.cases.of(), set(left)
        units = [Unit((ruling,)) for ruling in left if ruling not in case_of]
        for case, files in self.cases.rulings.items():
            if inside := tuple(file for file in files if file in wanted):
                path = str(_case_file(self.order, case))
                units.append(Unit(inside, case, path, self.cases.metadata.get(case, ())))
        return sorted(units, key=lambda unit: -len(unit.rulings))

    def _work_off(self, units: Iterable[Unit]) -> None:
        """Give units to workers and take what they did; those under way when a worker died are done one by one, so
        that it is known of which it died."""
        waiting, suspects = deque(units), deque[Unit]()
        flying: dict[int, tuple[Unit, Work, bool]] = {}
        landed: SimpleQueue[int] = SimpleQueue()
        tickets = iter(range(1 << 62))
        while waiting or suspects or flying:
            for unit, alone in _next(waiting, suspects, len(flying), self.pool.window):
                ticket = next(tickets)
                work = self.pool.submit(self.setting, unit)
                flying[ticket] = unit, work, alone
                work.add_done_callback(_calls(landed, ticket))
            try:
                unit, work, alone = flying.pop(landed.get(timeout=PATIENCE))
            except Empty:
                self.pool.alive()
                continue
            suspects += self._land(unit, work, alone)

    def _land(self, unit: Unit, work: Work, alone: bool) -> Iterator[Unit]:
        """Take what a worker did of a unit; what is left of it where the worker died."""
        try:
            self._take(work.result())
        except BaseException as error:
            if not self.pool.lost(error):
                raise _stopped(error) from error
            self._take(self.state.harvest(unit.rulings))
            left = tuple(ruling for ruling in unit.rulings if ruling not in self.state.outcomes)
            yield from self._left(replace(unit, rulings=left), alone)

    def _left(self, unit: Unit, alone: bool) -> Iterator[Unit]:
        """What is left of a unit whose worker died, without a ruling of which workers died before."""
        if unit.rulings and alone:
            deadly = next((ruling for ruling in unit.rulings if self.state.is_started(ruling)), unit.rulings[0])
            self.deaths[deadly] += 1
            if self.deaths[deadly] >= DEATHS:
                self._take([_deadly(self.order, unit, deadly)])
                unit = replace(unit, rulings=tuple(ruling for ruling in unit.rulings if ruling != deadly))
        if unit.rulings:
            yield unit

    def _take(self, outcomes: Iterable[Outcome]) -> None:
        for outcome in outcomes:
            if outcome.ruling not in self.state.outcomes:
                self.state.add(self.state.landed(outcome))
                self.publisher.settle(outcome.ruling)
                self.decided += 1
        self.watch(self.decided, len(self.rulings))

    def _refuse(self, outcome: Outcome, why: str) -> None:
        self.state.add(replace(outcome, status=REFUSED, why=why))


def _stopped(error: BaseException) -> BaseException:
    """What a worker's error is for the user, where it is none of a single ruling."""
    if isinstance(error, Unfit):
        return InputError(f"{error}. What is done is kept: run the same again to go on")
    if isinstance(error, OSError):
        return InputError(f"a worker cannot write ({error.strerror}). Run the same again to go on")
    return error


def _calls(landed: SimpleQueue[int], ticket: int) -> Callable[[object], None]:
    return lambda _: landed.put(ticket)


def _next(waiting: deque[Unit], suspects: deque[Unit], flying: int, window: int) -> Iterator[tuple[Unit, bool]]:
    """The units to give to workers now, and whether one is to be alone at work."""
    if suspects:
        if not flying:
            yield suspects.popleft(), True
        return
    for _ in range(min(window - flying, len(waiting))):
        yield waiting.popleft(), False


def _deadly(order: Order, unit: Unit, ruling: str) -> Outcome:
    """The outcome of a ruling of which workers died."""
    status, why = (order.source / ruling).stat(), "the worker died of it, twice (out of memory?)"
    outcome = Outcome(ruling, unit.case, metadata=digest(unit.metadata), status=REFUSED, why=why)
    return replace(outcome, size=status.st_size, mtime=status.st_mtime_ns)


def _case_file(order: Order, case: str) -> Path:
    """The file of a case: its name where that can be a file's, else what is left of it with a number of its own."""
    runs = groupby(case, key=lambda char: char.isalnum() or char in "_. ()-")
    plain = "".join("".join(run) if kept else "-" for kept, run in runs).strip(" .")
    plain = plain.encode("utf-8", "ignore")[:150].decode("utf-8", "ignore") or "case"
    if plain != case:
        plain += f"-{hashlib.sha256(case.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
    return (order.case_folder or Path()).resolve() / f"{plain}.aefcase"
