"""From which probability on a model hides: what commands that tag ask, and how they put it in force."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from aef.errors import InputError

if TYPE_CHECKING:
    from aef.finder import Finder


def add_model(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--model",
        metavar="MODEL",
        help="a model written by 'aef train', or the name of a ready-made one, see 'aef models' (default: en-all)",
    )


def load_model(arguments: argparse.Namespace) -> Finder:
    """The model asked for, else the ready-made one. Raises `InputError` where there is none."""
    from aef.finder import Finder

    return Finder.load(arguments.model)


def add_decision(parser: argparse.ArgumentParser) -> None:
    decision = parser.add_mutually_exclusive_group()
    decision.add_argument("--preset", metavar="NAME", help="a preset of the model: balanced, f2, safe, promise")
    decision.add_argument("--threshold", type=float, metavar="P", help="hide from this probability on")
    decision.add_argument("--cost", type=float, metavar="N", help="a miss costs N false alarms: hide from 1/(1+N) on")


def decide(finder: Finder, arguments: argparse.Namespace) -> None:
    """Put in force what the command line asks for; the least expected cost is had by hiding from 1 / (1 + cost) on.

    Says what was promised (see `aef.calibration`) where that is in force. Raises `InputError` for what a model lacks.
    """
    from aef.calibration import in_force
    from aef.commands.common import say

    if arguments.preset is not None:
        finder.set_preset(arguments.preset)
    elif arguments.threshold is not None:
        finder.set_threshold(arguments.threshold)
    elif arguments.cost is not None:
        if not 0 < arguments.cost < float("inf"):
            raise InputError(f"cost {arguments.cost}: a number above 0 is wanted, such as 10")
        finder.set_threshold(1 / (1 + arguments.cost))
    if promise := in_force(finder):
        say(f"promised: {promise}", arguments.quiet)
