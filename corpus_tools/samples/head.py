"""The head and the end of a ruling, as courts of the two provinces laid them out: (style, template) lines."""

from __future__ import annotations

from collections.abc import Iterator

from aef.corpus_tools.samples.case import Case

Lines = Iterator[tuple[str, str]]


def head(case: Case) -> Lines:
    """The lines before the body; a line of style ``row`` is a table row with ``|`` between the cells."""
    return _bc(case) if case.province == "bc" else _on(case)


def _bc(case: Case) -> Lines:
    day = case.dates["judgment"]
    yield "court", "IN THE SUPREME COURT OF BRITISH COLUMBIA"
    if case.cells:
        yield "left", f"Citation: {{p.last}} v. {{q.last}}, 2002 BCSC {case.rng.randint(40, 1790)}"
    yield "right", f"Date: {day:%Y%m%d}"
    yield "right", f"Docket: {case.rng.choice('DEF')}{case.rng.randint(100000, 260000):06d}"
    yield "right", "Registry: {registry}"
    yield "left", case.rng.choice(("Between:", "BETWEEN:", "Between"))
    yield from _party("p")
    yield "left", case.rng.choice(("And:", "AND:", "And"))
    yield from _party("q")
    yield "centre", "Before: The Honourable {judge.title}"
    yield "court", case.rng.choice(("Reasons for Judgment", "REASONS FOR JUDGMENT"))
    if case.rng.random() < 0.5:
        yield "row", "Counsel for the {p.party}: | " + _counsel(case, "p")
        yield "row", "Counsel for the {q.party}: | " + _counsel(case, "q")
        yield "row", "Date and Place of [Trial|Hearing]: | {md.trial} to {d.last}"
        yield "row", " | {registry}, B.C."
    else:
        yield "left", "Counsel for the {p.party}: " + _counsel(case, "p")
        yield "left", "Counsel for the {q.party}: " + _counsel(case, "q")
        yield "left", "[Date and Place of Trial|Heard]: {md.trial} to {d.last}, {registry}, B.C."


def _on(case: Case) -> Lines:
    year, kind = case.rng.choice(("00", "01", "02")), case.rng.choice("ADLS")
    yield "right", f"COURT FILE NO.: {year}-F{kind}-{case.rng.randint(1000, 32000)}"
    yield "right", f"DATE: {case.dates['judgment']:%Y%m%d}"
    yield "court", "ONTARIO"
    yield "court", "SUPERIOR COURT OF JUSTICE"
    if case.rng.random() < 0.4:
        yield "court", "FAMILY COURT"
    yield "left", "B E T W E E N:"
    yield from _party("p")
    yield "centre", "- AND -"
    yield from _party("q")
    yield "row", _counsel(case, "p") + ", for the {p.party} | " + _counsel(case, "q") + ", for the {q.party}"
    yield "left", "HEARD: {md.trial} to {d.last}[, at {registry}|]"
    yield "court", "REASONS FOR JUDGMENT"
    yield "left", "The Honourable {judge.title}"


def _party(key: str) -> Lines:
    yield "party", f"{{{key}.caps}}"
    yield "role", f"{{{key}.party}}"


def _counsel(case: Case, key: str) -> str:
    """The counsel of a party, or the party in person."""
    party = case.person(key).key
    if party == "y" and case.holds("selfrep"):
        return "{y.titled}, [on {y.his} own behalf|in person]"
    form = "counsel" if case.cells else "titled"
    return f"{{{party}c.{form}}}"


def end(case: Case) -> Lines:
    """The judge's signature, and in Ontario at times the head once more."""
    signature = '"{judge.counsel}, J."' if case.cells else '"{judge.last}, J."'
    yield "signature", signature
    yield "signature", "The Honourable {judge.title}"
    if case.province == "on":
        yield "left", "Released: {d.judgment}"
        if case.rng.random() < 0.4:
            yield "court", "ONTARIO"
            yield "court", "SUPERIOR COURT OF JUSTICE"
            yield from _party("p")
            yield "centre", "- AND -"
            yield from _party("q")
