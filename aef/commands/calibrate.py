"""``aef calibrate``: a promise on what a model misses."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aef.evaluation.calibration import Curves
    from aef.tagging.finder import Finder

EPILOG = """examples:
  aef calibrate aside.jsonl --model model.aef --miss 0.05 -o safe.aef
      conformal risk control: on average at most 5% of a ruling's entities missed
  aef calibrate aside.jsonl --model model.aef --miss 0.05 --confidence 0.95 -o safe.aef
      learn then test: the same bound, and 95% sure that these calibration documents did not mislead
  aef calibrate aside.jsonl --model model.aef --miss 0.2 --confidence 0.9 --unit documents -o safe.aef
      at most 20% of the rulings with any missed entity

The gold corpus must be kept aside: documents that the model learned from are refused. An entity is missed when a word
of one of its mentions is left in clear.

What is promised. crc (Conformal Risk Control, Angelopoulos et al. 2022): the expected miss in a new ruling is at most
--miss, on average over calibration corpora too: one corpus may be unlucky. ltt (Learn then Test, Angelopoulos et al.
2021): with --confidence, over the draw of the calibration corpus, the expected miss is at most --miss. Both hold for
rulings drawn as the corpus was: the same court, kind of ruling, time and annotators; not for each single ruling. crc
asks for 1/miss - 1 documents at least, ltt for log(1 - confidence) / log(1 - miss): 19 and 59 for 5% (at 95%).

The written model decides by its preset 'promise' unless tagging asks for another ('aef tag --preset')."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.common import add_force, add_json

    parser.add_argument("gold", nargs="+", metavar="GOLD", help="gold corpus kept aside from training")
    parser.add_argument("--model", required=True, metavar="MODEL", help="a model written by 'aef train'")
    parser.add_argument("--miss", required=True, type=float, metavar="M", help="the share that may be missed, 0 to 1")
    parser.add_argument("--confidence", type=float, metavar="C", help="of ltt, 0 to 1: how sure the promise is")
    parser.add_argument("--unit", default="entities", choices=["entities", "documents"], help="default: entities")
    parser.add_argument("--method", choices=["crc", "ltt"], help="default: ltt where --confidence is given, else crc")
    parser.add_argument("-o", "--output", required=True, metavar="MODEL2", help="the model file to write")
    add_force(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from functools import partial

    from aef.commands.common import print_json, progress, say
    from aef.corpus_tools.files import must_be_new
    from aef.corpus_tools.gold.corpora import read_corpus
    from aef.evaluation.calibration import calibrate
    from aef.tagging.finder import Finder

    must_be_new([arguments.output], arguments.force)
    finder = Finder.load(arguments.model)
    documents = read_corpus(arguments.gold)
    before = finder.cut
    work = partial(progress, what="thresholds", quiet=arguments.quiet)
    promised = (arguments.miss, arguments.confidence, arguments.unit, arguments.method)
    curves = calibrate(finder, documents, *promised, progress=work)
    finder.save(arguments.output, arguments.force)
    if arguments.json:
        print_json(_figures(finder, curves, before))
    say(f"{arguments.output}: {_report(finder, curves, before)}", arguments.quiet)
    return 0


def _figures(finder: Finder, curves: Curves, before: float) -> dict[str, object]:
    """The promise, and precision and miss on the calibration documents at it and at the threshold before."""
    promise = finder.promise or {}
    at = {name: curves.nearest(cut) for name, cut in (("promise", finder.cut), ("before", before))}
    miss = curves.losses(promise["unit"]).mean(axis=0)
    worth = {name: {"precision": curves.precision(i), "miss": float(miss[i])} for name, i in at.items()}
    return {"promise": promise, "on_these_documents": worth}


def _report(finder: Finder, curves: Curves, before: float) -> str:
    from aef.evaluation.calibration import in_force

    figures = _figures(finder, curves, before)["on_these_documents"]
    assert isinstance(figures, dict)
    now, then = (f"precision {100 * figures[name]['precision']:.1f}%" for name in ("promise", "before"))
    return f"{in_force(finder)}; hides from probability {finder.cut_probability:.4f} on: {now} (before: {then})"
