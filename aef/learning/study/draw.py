"""The study's plots, drawn without a screen: from rows to a figure, and from a figure to PNG or SVG."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from aef.evaluation.plots import BLUE, GREEN, GREY, ORANGE, PURPLE, STYLE, render
from aef.learning.study import thesis

__all__ = ["candidates", "plots", "render"]

Row = dict[str, Any]
Tables = Mapping[str, list[Row]]


def plots(tables: Tables) -> dict[str, Figure]:
    """All figures the tables allow, by name."""
    drawn: dict[str, Callable[[Tables], Figure]] = {
        "iterations": iterations,
        "single": lambda t: candidates([("", t["single"])]),
        "next_steps": next_steps,
        "selection": selection,
        "contributions": contributions,
        "correlations": correlations,
        "systems": systems,
    }
    with matplotlib.rc_context(STYLE):
        return {name: draw(tables) for name, draw in drawn.items() if name != "next_steps" or "second_step" in tables}


def _figure(width: float, height: float, columns: int, **options: Any) -> tuple[Figure, list[Axes]]:
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots(1, columns, squeeze=False, **options)
    return figure, list(axes[0])


def _percent(rows: Sequence[Row], key: str) -> list[float]:
    return [100 * row[key] for row in rows]


# --- Figure 3.3 -----------------------------------------------------------------------------------------------------


def iterations(tables: Tables) -> Figure:
    """Error and F2 against the iterations of GIS; the default solver as a level line."""
    figure, axes = _figure(10, 4.6, 2)
    for ax, key, label in zip(axes, ("error", "f2"), ("wrong tokens, %", "F2, %"), strict=True):
        for features, colour, marker in (("nine", BLUE, "o"), ("all", ORANGE, "s")):
            rows = [row for row in tables["iterations"] if row["features"] == features]
            gis = [row for row in rows if row["iterations"] is not None]
            name = "the nine features" if features == "nine" else "all features"
            x = [row["iterations"] for row in gis]
            ax.plot(x, _percent(gis, key), color=colour, marker=marker, ms=4, label=f"GIS, {name}")
            (level,) = [100 * row[key] for row in rows if row["iterations"] is None]
            ax.axhline(level, color=colour, ls="--", lw=1.2, label=f"default solver, {name}")
        ax.axvline(thesis.ITERATIONS, color=GREY, ls=":", label="the thesis stops here (50)")
        ax.set(xlabel="iterations of GIS", ylabel=label, xlim=(0, 560))
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


# --- Figures 3.4 to 3.6 ---------------------------------------------------------------------------------------------

MEASURES = (("precision", "precision", GREEN, "^"), ("recall", "recall", ORANGE, "s"), ("f2", "F2", BLUE, "o"))


def candidates(panels: Sequence[tuple[str, list[Row]]]) -> Figure:
    """Precision (where anything right is found), recall and F2 of each candidate, the best on top."""
    longest = max(len(rows) for _, rows in panels)
    figure, axes = _figure(5.2 * len(panels) + 1.5, 0.21 * longest + 1.5, len(panels))
    for ax, (title, rows) in zip(axes, panels, strict=True):
        y = np.arange(len(rows))
        for key, label, colour, marker in MEASURES:
            known = [100 * row[key] if row["f2"] or key != "precision" else np.nan for row in rows]
            ax.plot(known, y, marker, color=colour, ms=5, label=label)
        ax.set_yticks(y, [row["feature"] for row in rows])
        ax.set(xlabel="%", xlim=(-2, 102), ylim=(len(rows) - 0.4, -0.6), title=title)
        ax.grid(axis="y", color="#f0f0f0")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


def next_steps(tables: Tables) -> Figure:
    """The candidates of the second and the third step of the search."""
    panels = [(f"{_base(tables, number)} and ...", tables[name]) for number, name in _later(tables)]
    return candidates(panels)


def _later(tables: Tables) -> list[tuple[int, str]]:
    return [(number, name) for number, name in ((1, "second_step"), (2, "third_step")) if name in tables]


def _base(tables: Tables, number: int) -> str:
    return ", ".join(row["feature"] for row in tables["steps"][:number])


def selection(tables: Tables) -> Figure:
    """F1 and F2, precision and recall against the number of features, with the thesis's own sets and figures."""
    figure, axes = _figure(10, 4.8, 2)
    rows, theirs = tables["selected"], tables["thesis_sets"]
    printed = tables["thesis_selection"]
    shown = (
        (("f2", "F2", BLUE, "o"), ("f1", "F1", GREEN, "^")),
        (("precision", "precision", GREEN, "^"), ("recall", "recall", ORANGE, "s")),
    )
    for ax, measures in zip(axes, shown, strict=True):
        for key, label, colour, marker in measures:
            ax.plot([r["size"] for r in rows], _percent(rows, key), color=colour, marker=marker, ms=5, label=label)
            x = [r["size"] for r in theirs]
            ax.plot(x, _percent(theirs, key), color=colour, ls="--", lw=1.2, label=f"{label}, the thesis’s sets here")
            known = "true_f2" if key == "f2" else key
            y = _percent(printed, known)
            text = f"{label}, thesis, another corpus"
            ax.plot([r["size"] for r in printed], y, ":", color=GREY, marker=marker, ms=3, mfc="white", label=text)
        ax.set(xlabel="number of features", ylabel="%")
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), fontsize=8.5, ncols=2)
    return figure


# --- features -------------------------------------------------------------------------------------------------------


def contributions(tables: Tables) -> Figure:
    """What a feature adds to the nine, and what all features lose without it; in points of F2."""
    rows = sorted(tables["features"], key=lambda row: (row["gain"] is None, -(row["gain"] or 0), -row["loss"]))
    figure, axes = _figure(10, 0.21 * len(rows) + 1.3, 2, sharey=True)
    y = np.arange(len(rows))
    for ax, key, colour in zip(axes, ("gain", "loss"), (BLUE, ORANGE), strict=True):
        ax.barh(y, [100 * (row[key] or 0) for row in rows], color=colour, height=0.7)
        ax.axvline(0, color="black", lw=0.8)
        ax.margins(y=0.01)
    for i, row in enumerate(rows):
        if row["gain"] is None:
            axes[0].text(0.02, i, "one of the nine", transform=axes[0].get_yaxis_transform(), va="center", **SMALL)
    axes[0].set_yticks(y, [row["feature"] for row in rows])
    axes[0].invert_yaxis()
    axes[0].set(xlabel="points of F2 gained", title="added to the nine")
    axes[1].set(xlabel="points of F2 lost", title="left out of all")
    return figure


SMALL: dict[str, Any] = {"fontsize": 8, "color": GREY}


def correlations(tables: Tables) -> Figure:
    """A heat map of phi; grey where a feature is active always or never."""
    rows = tables["correlations"]
    names = [row["feature"] for row in rows]
    values = np.array([[np.nan if row[name] is None else row[name] for name in names] for row in rows])
    side = 0.22 * len(names) + 1.6
    figure, (ax,) = _figure(side + 0.9, side, 1)
    ax.set_facecolor("#d0d0d0")
    ax.grid(False)
    mesh = ax.pcolormesh(np.ma.masked_invalid(values), cmap="RdBu_r", vmin=-1, vmax=1, edgecolors="white", lw=0.3)
    places = np.arange(len(names)) + 0.5
    ax.set_xticks(places, names, rotation=90)
    ax.set_yticks(places, names)
    ax.tick_params(length=0, labelsize=8.5)
    ax.set_aspect("equal")
    ax.invert_yaxis()
    figure.colorbar(mesh, ax=ax, shrink=0.6, label="phi coefficient")
    return figure


# --- Tables 3.9 to 3.14 ---------------------------------------------------------------------------------------------


def systems(tables: Tables) -> Figure:
    """Occurrences found and wrong ones for each scope and system; the thesis's documents hatched."""
    groups = _by_scope([*tables["systems"], *({**r, "other": True} for r in tables["thesis_systems"])])
    order = list(dict.fromkeys(row["system"] for row in tables["systems"]))
    colours = dict(zip(order, (GREY, ORANGE, PURPLE, BLUE), strict=True))
    bars = [(scope, row) for scope, rows in groups.items() for row in rows]
    gaps = np.cumsum([0, *(0.7 * (a[0] != b[0]) for a, b in pairwise(bars))])
    y = np.arange(len(bars)) + gaps
    figure, axes = _figure(10, 0.3 * len(bars) + 2, 2, sharey=True)
    for ax, value in zip(axes, (_found_share, _wrong_share), strict=True):
        for place, (_, row) in zip(y, bars, strict=True):
            style: dict[str, Any] = {"hatch": "///", "alpha": 0.55} if "other" in row else {}
            ax.barh(place, value(row), color=colours[row["system"]], height=0.8, edgecolor="white", **style)
            ax.text(value(row), place, f" {value(row):.0f}", va="center", fontsize=8)
        ax.set_xlim(0, 109)
    axes[0].set_yticks(y, [row["system"] for _, row in bars], fontsize=9)
    axes[0].invert_yaxis()
    axes[0].set(xlabel="% of all occurrences to hide", title="found")
    axes[1].set(xlabel="% of all occurrences in the system’s list", title="wrong")
    _name_groups(axes[1], y, [scope for scope, _ in bars])
    return figure


def _found_share(row: Row) -> float:
    return float(100 * row["recall"])


def _wrong_share(row: Row) -> float:
    listed = row["occurrences_found"] + row["wrong_occurrences"]
    return float(100 * row["wrong_occurrences"] / listed) if listed else 0.0


def _by_scope(rows: Sequence[Row]) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        name = f"thesis, {row['scope']}\n(another corpus)" if "other" in row else row["scope"]
        groups.setdefault(name, []).append(row)
    return groups


def _name_groups(ax: Axes, y: Sequence[float] | np.ndarray[Any, Any], scopes: Sequence[str]) -> None:
    for scope in dict.fromkeys(scopes):
        middle = float(np.mean([place for place, other in zip(y, scopes, strict=True) if other == scope]))
        ax.text(1.02, middle, scope, transform=ax.get_yaxis_transform(), va="center", fontsize=9)
