"""What one sees in the study's figures, in sentences made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from aef.learning.study import thesis
from aef.learning.study.systems import AEF, NOME, SELECTED, VALIDATION

Row = dict[str, Any]
Tables = Mapping[str, list[Row]]


def percent(value: float, digits: int = 1) -> str:
    return f"{100 * value:.{digits}f}"


def summary(tables: Tables) -> list[str]:
    """The study in a few sentences."""
    nine = tables["thesis_sets"][thesis.CHOSEN - 1]
    chosen = _chosen(tables)
    by_system = {row["system"]: row for row in tables["systems"] if row["scope"] == VALIDATION}
    return [
        f"The thesis’s nine features reach F2 {percent(nine['f2'])} on this corpus "
        f"({percent(nine['f2_thesis'])} by the thesis’s formula; it prints "
        f"{percent(tables['thesis_selection'][thesis.CHOSEN - 1]['f2_thesis'])} on its own).",
        f"The search run on this corpus settles on {_features(chosen['size'])} with F2 {percent(chosen['f2'])}: "
        f"{chosen['set'].replace(' ', ', ')}.",
        f"On held-out documents NOME finds {percent(by_system[NOME]['recall'])} % of the occurrences to hide, "
        f"AEF as in the thesis {percent(by_system[AEF]['recall'])} %, AEF with the selected set "
        f"{percent(by_system[SELECTED]['recall'])} %.",
    ]


def iterations(tables: Tables) -> str:
    found = []
    for features, name in (("nine", "the nine features"), ("all", "all features")):
        rows = [row for row in tables["iterations"] if row["features"] == features]
        gis = [row for row in rows if row["iterations"] is not None]
        lowest, last = min(gis, key=lambda row: row["error"]), gis[-1]
        default = next(row for row in rows if row["iterations"] is None)
        rise = 100 * (last["error"] - lowest["error"])
        found.append(
            f"With {name} the error of GIS is lowest at {lowest['iterations']} iterations "
            f"({percent(lowest['error'], 2)} % of the tokens) and {rise:.2f} points higher at {last['iterations']}; "
            f"the default solver, which stops by itself, has {percent(default['error'], 2)} %."
        )
    return " ".join(found)


def single(tables: Tables) -> str:
    rows = tables["single"]
    silent = sum(row["f2"] == 0 for row in rows)
    best = " and ".join(f"{row['feature']} ({percent(row['f2'])})" for row in rows[:2])
    return f"Best alone, by F2: {best}. {silent} of {len(rows)} features alone hide nothing that should be hidden."


def next_steps(tables: Tables) -> str:
    found = []
    for number, name in ((1, "second_step"), (2, "third_step")):
        if name in tables:
            base = ", ".join(row["feature"] for row in tables["steps"][:number])
            best = tables[name][0]
            found.append(f"Beside {base}, {best['feature']} does best: F2 {percent(best['f2'])}.")
    return " ".join(found)


def selection(tables: Tables) -> str:
    chosen, rows = _chosen(tables), tables["selected"]
    near = next(row for row in rows if row["f2"] >= chosen["f2"] - 0.01)
    dropped = [row["feature"] for row in tables["steps"] if row["action"] == "drop"]
    back = (
        f"Taking features back helped {_times(len(dropped))} ({', '.join(dict.fromkeys(dropped))})"
        if dropped
        else "Taking features back never helped"
    )
    return (
        f"F2 is highest with {_features(chosen['size'])} ({percent(chosen['f2'])}) and within one point of that from "
        f"{near['size']} on. {back}; in the thesis it never did."
    )


def contributions(tables: Tables) -> str:
    rows = tables["features"]
    loss = max(rows, key=lambda row: row["loss"])
    harm = min(rows, key=lambda row: row["loss"])
    silent = [row["feature"] for row in rows if not row["active"]]
    text = f"Left out of all, {loss['feature']} is missed most ({_points(loss['loss'])} points of F2)"
    text += f"; without {harm['feature']} F2 rises by {_points(-harm['loss'])}. " if harm["loss"] < 0 else ". "
    outside = [row for row in rows if row["gain"] is not None]
    if outside:
        gain = max(outside, key=lambda row: row["gain"])
        text += f"To the nine, {gain['feature']} would add most ({_points(gain['gain'])} points). "
    return text + (f"Never active on this corpus: {', '.join(silent)}." if silent else "")


SAME = 0.995


def correlations(tables: Tables) -> str:
    groups = _groups(tables["correlations"][:-1])
    together = "; ".join(", ".join(group) for group in groups if len(group) > 1)
    found = f"Active on the same tokens (phi above {SAME}): {together}. " if together else ""
    return (
        f"{found}The map shows where features are active, not with which value: word features (W-2 to W2) count "
        "capitalized tokens only and tell them apart by their values. Grey: active always or never."
    )


def _groups(rows: Sequence[Row]) -> list[list[str]]:
    """The features by what they are active on: each joins the first group whose first member it goes along with."""
    groups: list[list[str]] = []
    for row in rows:
        same = next((group for group in groups if (row[group[0]] or 0) > SAME), None)
        if same is None:
            groups.append([row["feature"]])
        else:
            same.append(row["feature"])
    return groups


def systems(tables: Tables) -> str:
    rows = {row["system"]: row for row in tables["systems"] if row["scope"] == VALIDATION}
    nome, aef = rows[NOME], rows[AEF]
    return (
        f"Over the cross-validation AEF as in the thesis finds {aef['distinct_found']} of {aef['distinct']} distinct "
        f"terms, NOME {nome['distinct_found']}; of what they list, {_wrong(aef)} % and {_wrong(nome)} % of the "
        "occurrences are wrong."
    )


def _wrong(row: Row) -> str:
    listed = row["occurrences_found"] + row["wrong_occurrences"]
    return percent(row["wrong_occurrences"] / listed if listed else 0.0, 0)


def _chosen(tables: Tables) -> Row:
    rows: Sequence[Row] = tables["selected"]
    return next(row for row in rows if row["chosen"])


def _features(number: int) -> str:
    return f"{number} feature{'s' * (number != 1)}"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _points(value: float) -> str:
    return f"{100 * value:.2f}"
