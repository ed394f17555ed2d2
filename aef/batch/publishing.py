"""Names for outputs: where each goes in the output folder, the folders kept, no hidden name in a file's or folder's.

A ruling tells safe names of its file and of the folders it is in. Names that need no change are given at once; one that
was changed may meet another's, so it is given when all before it, in the order of the input, have theirs: the names do
not depend on which worker was quick.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path, PurePosixPath

from aef.batch.state import Outcome, State
from aef.corpus_tools.files import must_be_new
from aef.errors import InputError


class Publisher:
    """Moves the outputs of a batch to their places; `settle` each ruling as its outcome is in the state.

    refuse : called where an output cannot be moved, with the reason. send : called with each that was, and its place.
    """

    def __init__(
        self,
        state: State,
        rulings: Sequence[str],
        force: bool,
        refuse: Callable[[Outcome, str], None],
        send: Callable[[Outcome, str], None] = lambda outcome, place: None,
    ) -> None:
        self.state = state
        self.force = force
        self.refuse = refuse
        self.send = send
        self.entries: dict[
            str, list[str]
        ] = {}  # what stands in the folder itself, in order: a file, or all in a folder
        for ruling in rulings:
            self.entries.setdefault(ruling.split("/")[0], []).append(ruling)
        self.numbers = {entry: number for number, entry in enumerate(self.entries, 1)}
        self.open = {entry: set(inside) for entry, inside in self.entries.items()}
        self.order = list(self.entries)
        self.next = 0  # all entries before this one have their names
        self.named: set[str] = set()
        published = (PurePosixPath(place).parts[0] for place in state.published.values())
        self.names = _Names([*self.entries, *published])

    def settle(self, ruling: str) -> None:
        """Take note that the ruling's outcome is in the state, and move what can be moved."""
        entry = ruling.split("/")[0]
        self.open[entry].discard(ruling)
        if not self.open[entry] and self._safe(entry) == entry:
            self._move(entry)
        while self.next < len(self.order) and not self.open[self.order[self.next]]:
            self._move(self.order[self.next])
            self.next += 1

    def _done(self, entry: str) -> list[Outcome]:
        return [o for ruling in self.entries[entry] if (o := self.state.outcomes[ruling]).done]

    def _safe(self, entry: str) -> str:
        return safe(entry, self._done(entry), 0, self.numbers[entry])

    def _move(self, entry: str) -> None:
        """Give an entry and all in it their names."""
        outcomes = self._done(entry) if entry not in self.named else []
        self.named.add(entry)
        if outcomes:
            name = self._before(outcomes, 0) or self.names.free(entry, self._safe(entry))
            self._move_all(outcomes, 0, PurePosixPath(name))

    def _before(self, outcomes: Iterable[Outcome], depth: int) -> str | None:
        """The name that a file or folder got already, before the batch was stopped."""
        places = (PurePosixPath(self.state.published.get(o.ruling, "")).parts for o in outcomes)
        return next((parts[depth] for parts in places if parts), None)

    def _move_all(self, outcomes: Sequence[Outcome], depth: int, place: PurePosixPath) -> None:
        """Move outputs to ``place``: a file's name where they are one file, else the folder of so many parts."""
        if len(PurePosixPath(outcomes[0].ruling).parts) == depth + 1:
            self._publish(outcomes[0], place)
            return
        children: dict[str, list[Outcome]] = {}
        for outcome in outcomes:
            children.setdefault(PurePosixPath(outcome.ruling).parts[depth + 1], []).append(outcome)
        before = {child: self._before(inside, depth + 1) for child, inside in children.items()}
        names = _Names([*children, *filter(None, before.values())])
        for number, (child, inside) in enumerate(children.items(), 1):
            name = before[child] or names.free(child, safe(child, inside, depth + 1, number))
            self._move_all(inside, depth + 1, place / name)

    def _publish(self, outcome: Outcome, place: PurePosixPath) -> None:
        if self.state.is_published(outcome.ruling):
            self._send(outcome, place)
            return
        target, staged = self.state.output / place, self.state.staged(outcome)
        try:
            must_be_new([target], self.force)
            target.parent.mkdir(parents=True, exist_ok=True)
            self.state.publish(outcome.ruling, str(place))
            staged.replace(target)
        except InputError as error:
            self.refuse(outcome, str(error))
        except OSError as error:
            self.refuse(outcome, f"{target}: cannot be written ({error.strerror})")
        else:
            self._send(outcome, place)
        shutil.rmtree(staged.parent, ignore_errors=True)

    def _send(self, outcome: Outcome, place: PurePosixPath) -> None:
        try:
            self.send(outcome, str(place))
        except FileExistsError as error:
            (self.state.output / place).unlink(missing_ok=True)
            self.refuse(outcome, str(error))


def safe(name: str, outcomes: Sequence[Outcome], depth: int, number: int) -> str:
    """The safe name of a file or folder as the rulings in it tell.

    Where they tell different ones, what one hides would stand in the other's: the folder gets a number for a name.
    """
    told = {_told(outcome, depth) for outcome in outcomes} - {name}
    return next(iter(told)) if len(told) == 1 else f"folder-{number}" if told else name


def _told(outcome: Outcome, depth: int) -> str:
    return outcome.folders[depth] if depth < len(outcome.folders) else outcome.name


class _Names:
    """The names in a folder: each given once, letter case aside, and none that another keeps."""

    def __init__(self, kept: Iterable[str]) -> None:
        self.taken = {name.casefold() for name in kept}

    def free(self, natural: str, name: str) -> str:
        """The name, or with a number where it is taken; what keeps its own name has it."""
        if name == natural:
            return name
        path, number, chosen = Path(name), 1, name
        while chosen.casefold() in self.taken:
            number += 1
            chosen = f"{path.stem}-{number}{path.suffix}"
        self.taken.add(chosen.casefold())
        return chosen
