"""The command line: one module a command, imported only when that command runs."""

from __future__ import annotations

import argparse
import atexit
import gc
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

import aef
from aef.errors import InputError

COMMANDS = {
    "demo": "the whole story on the built-in sample rulings",
    "align": "pairs of rulings (original, anonymized) -> gold corpus and a report of what the editors missed",
    "train": "gold corpus -> model",
    "learn": "review copies or pairs -> a model of your court, checked that nothing gets worse",
    "adapt": "a model and rulings of another court, without gold -> a model for that court",
    "models": "the ready-made models",
    "language": "the languages; a new one's word lists from a gold corpus, and what a language lacks",
    "model": "what a model is, and every string it holds: does a name leave the court in it?",
    "calibrate": "a threshold that keeps a promise on what is missed, from a gold corpus kept aside",
    "tag": "rulings -> the mentions to hide, as JSONL, CoNLL or a list",
    "convert": "a gold corpus -> another format: brat, doccano, Label Studio, spaCy, CoNLL-U Plus ...",
    "pipeline": "pipelines of annotators: models, patterns, lists of names, voting; show one, check one",
    "evaluate": "precision, recall, F1, F2 and entity recall of a model or system on a gold corpus",
    "compare": "other learners (CRF, SVM, perceptron, HMM ...) beside the tagger, on the same folds and features",
    "anonymize": "rulings (DOCX, ODT, RTF, HTML, TXT) -> the same rulings, safe to publish",
    "edit": "rulings, and questions in the browser -> the same rulings, safe to publish",
    "batch": "a folder of rulings -> the same folder, safe to publish: in parallel, resumable, with a report",
    "apply": "a review copy that an editor has gone through -> the ruling, safe to publish",
    "verify": "does a hidden name survive anywhere in a published file, from whatever tool?",
    "restore": "an anonymized ruling and the secret file of its case -> the original",
    "serve": "a service: rulings over HTTP, a queue, worker processes",
    "link": "which mentions are one person: entities of rulings and of gold corpora, and how well they are told",
    "explain": "why a word is hidden, or stays: the evidence and its weights",
    "features": "what the features are, and what they show of a ruling",
    "select": "feature selection: which features are worth having",
    "study": "the thesis's experiments on your corpus: tables, plots and a page",
    "nome": "the capitalization baseline: its list of terms for editors",
}


_OBJECTS = 200_000
"""So many new objects make a look for cyclic garbage worth it; by Python's own measure a start has hundreds."""


def _parser() -> argparse.ArgumentParser:
    listing = "\n".join(f"  {name:<11}{text}" for name, text in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="aef",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Find and replace what must not be published in court rulings.",
        epilog=f"commands:\n{listing}\n\nStart with 'aef demo'. 'aef COMMAND --help' explains a command.\n"
        "Exit codes: 0 done, 1 a check failed, 2 usage or bad input.",
    )
    parser.add_argument("--version", action="version", version=f"aef {aef.__version__}")
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND", help="one of the commands below")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="...", help="what the command takes")
    return parser


def parser_of(command: str, module: ModuleType, arguments: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of a command, its lists of what is registered made where help is asked for."""
    parser = argparse.ArgumentParser(
        prog=f"aef {command}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description=COMMANDS[command] + ".",
        epilog=module.EPILOG,
    )
    if hasattr(module, "registered") and any(a == "-h" or (a[2:] and "--help".startswith(a)) for a in arguments):
        for name, listed in module.registered().items():
            parser.epilog = str(parser.epilog).replace(f"{{{name}}}", listed)
    module.add_arguments(parser)
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors and what was asked for")
    _add_plugin(parser)
    return parser


def _add_plugin(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--plugin", action="append", default=[], metavar="FILE.py", help="run this file, which registers what is yours"
    )


def _load_plugins(arguments: Sequence[str]) -> None:
    """Run the plug-ins that are named, before anything asks what is registered. Raises `InputError` as `load` does."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    _add_plugin(parser)
    named = parser.parse_known_args(arguments)[0].plugin
    if named:
        from aef.plugins import load

        for path in named:
            load(path)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code. A user's mistake becomes one line on standard error."""
    gc.set_threshold(_OBJECTS)
    atexit.register(gc.freeze)  # or Python looks for garbage in all that is left when it ends: a tenth of a short run
    chosen = _parser().parse_args(argv)
    module = import_module(f"aef.commands.{chosen.command}")
    try:
        _load_plugins(chosen.arguments)
        arguments = parser_of(chosen.command, module, chosen.arguments).parse_args(chosen.arguments)
        return int(module.run(arguments))
    except InputError as error:
        print(f"aef {chosen.command}: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except OSError as error:  # of a file or folder into which this account may not look, say
        if error.filename is None:
            raise
        print(f"aef {chosen.command}: {InputError.at(error.filename, f'{error.strerror}')}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"aef {chosen.command}: stopped", file=sys.stderr)
        return 130
