"""``aef batch``: a folder of rulings -> the same folder, safe to publish."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aef.batch.orders import Order
    from aef.batch.pools import Pool
    from aef.batch.report import Report
    from aef.batch.run import Watch

EPILOG = """examples:
  aef batch rulings/ -o safe/ --jobs 4
  aef batch rulings/ -o safe/ --annotator court-en --scheme letters --include hide.txt
  aef batch cases/ -o safe/ --cases folder --case-folder secret/        each subfolder is one case
  aef batch rulings/ -o safe/ --cases cases.csv --case-folder secret/   a file says so (columns case,file)
  aef batch rulings/ -o safe/ --dask tcp://cluster:8786
  aef batch s3://court/rulings -o s3://court/safe --state batch/ --dask tcp://cluster:8786

All rulings of the folder and its subfolders (DOCX, ODT, RTF, HTML, TXT) are anonymized as 'aef anonymize' does it,
into a folder of the same structure. Names of files and folders that bear a hidden name are changed as well; to know
that of a folder, all in it must be done first. A ruling that cannot be read, or in which a hidden name would be left,
is refused, and the others go on. The exit code is 1 where one was refused.

Stopped in any way, the same command goes on where it was; what was done is not done again, and nothing is lost. The
refused ones are tried again with --retry, or when their files are changed. With other settings, or where rulings that
are done or the metadata of their cases were changed, nothing happens without --force: it starts anew, or does the
changed ones again.

The folder .aef-batch in the output folder is for its owner alone. It keeps the state and, at the end, report.json and
report.csv: what became of each ruling and why, its tokens and seconds. It names the originals beside the outputs:
remove it before you publish the whole folder.

The rulings of one case have the same labels for the same people, and are done in order, different cases at the same
time. Each case has a secret file in --case-folder, sealed under a passphrase where one is given, as with
'aef anonymize --case'; 'aef restore' takes it. The cases file is CSV or JSON: {"2019/14": ["14/reasons.docx",
"14/costs.docx"], "2019/15": {"files": ["15.docx"], "parties": ["Ann Roe"]}}, further keys being metadata for --policy.

--jobs are processes of this machine, each with the model in memory. --dask gives the work to an existing cluster, whose
workers need the same version of aef and the same folders at the same paths. A worker that dies is replaced and its
rulings are done by another; a ruling of which workers die, or that takes longer than --timeout, is refused.

Rulings, and outputs, may be in a store that fsspec reaches (extra s3; adlfs for abfs://, gcsfs for gs://), with keys
where its library looks for them (AWS_ACCESS_KEY_ID, AWS_ENDPOINT_URL ...). Workers fetch the rulings themselves, into
their temporary folders while they are at them, and need no folder in common. --state is then a folder of this machine
with what is known of the batch and a copy of the outputs: with it, the same command goes on. What stands in the store
under the name of an output is left as it is, and the ruling refused, without --force. Cases are for folders.

Schemes and policies are those of 'aef anonymize --help'."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.common import add_force, add_json
    from aef.commands.decision import (
        add_annotator,
        add_decision,
        add_model,
        add_policy_name,
        add_replacement,
        add_spoken,
    )

    parser.add_argument("folder", metavar="FOLDER", help="rulings, with all that is in subfolders; or an address")
    parser.add_argument("-o", "--output", required=True, metavar="FOLDER", help="where the anonymized ones go")
    parser.add_argument("--state", metavar="FOLDER", help="what is known of a batch, where a FOLDER is an address")
    what = parser.add_mutually_exclusive_group()
    add_model(what)
    add_annotator(what)
    add_spoken(parser)
    add_decision(parser)
    add_replacement(parser)
    add_policy_name(parser)
    parser.add_argument("--cases", metavar="HOW", help="folder: each subfolder is one case; or a file that says so")
    parser.add_argument("--case-folder", metavar="FOLDER", help="where the cases' secret files are")
    parser.add_argument(
        "--passphrase-file",
        metavar="FILE",
        help="its first line seals the case files (or: the environment variable AEF_PASSPHRASE)",
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--jobs", type=int, default=1, metavar="N", help="processes (default: 1)")
    where.add_argument("--dask", metavar="ADDRESS", help="run on this Dask scheduler (extra: dask)")
    parser.add_argument(
        "--timeout",
        type=float,
        default=600,
        metavar="S",
        help="seconds a ruling may take (default: 600); 0: any number",
    )
    parser.add_argument("--allow-remaining", action="store_true", help="write even where the verification finds a name")
    parser.add_argument("--retry", action="store_true", help="try again what was refused by an earlier run")
    add_force(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from aef.batch.run import run as run_batch
    from aef.commands.common import say

    order = _order(arguments)
    with _pool(arguments, order) as pool, _watch(arguments.quiet) as watch:
        report = run_batch(order, pool, watch)
    if arguments.json:
        print(report.as_json(), end="")
    else:
        print(_summary(report))
    table = order.output / ".aef-batch" / "report.csv"
    say(f"report: {table} (names the originals; only you can read it)", arguments.quiet)
    return int(bool(report.refused))


def _order(arguments: argparse.Namespace) -> Order:
    from aef.batch.orders import Order
    from aef.batch.store import is_address, mirrored
    from aef.commands.decision import hiding

    fetch, put = (text if is_address(text) else None for text in (arguments.folder, arguments.output))
    state = _state(arguments.state, bool(fetch or put))
    if fetch is not None:
        mirrored(fetch, state / "in")
    return Order(
        state / "in" if fetch else Path(arguments.folder),
        state / "out" if put else Path(arguments.output),
        hiding(arguments),
        fetch=fetch,
        put=put,
        cases=arguments.cases,
        case_folder=Path(arguments.case_folder) if arguments.case_folder else None,
        passphrase_file=arguments.passphrase_file,
        timeout=arguments.timeout or None,
        allow_remaining=arguments.allow_remaining,
        retry=arguments.retry,
        force=arguments.force,
    )


def _state(given: str | None, wanted: bool) -> Path:
    """Raises `InputError` where a folder is missing, or in vain."""
    from aef.errors import InputError

    if wanted != (given is not None):
        remedy = "Name a folder of this machine" if wanted else "Leave it away"
        raise InputError(f"--state goes with rulings or outputs in a store (s3://...). {remedy}")
    return Path(given or "")


def _pool(arguments: argparse.Namespace, order: Order) -> AbstractContextManager[Pool]:
    from aef.batch.pools import cluster, processes

    return cluster(arguments.dask, order.source, order.fetch) if arguments.dask else processes(arguments.jobs)


@contextmanager
def _watch(quiet: bool) -> Iterator[Watch]:
    """A progress bar, on a terminal only."""
    from tqdm import tqdm

    with tqdm(desc="anonymize", unit="", leave=False, disable=True if quiet else None, file=sys.stderr) as bar:

        def watch(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield watch


_SHOWN = 20


def _summary(report: Report) -> str:
    """The totals as a table, the pace, and the first of the refused with the reasons."""
    from aef.commands.common import table

    told = report.as_dict()
    now, tokens = len([row for row in report.rows if not row.earlier]), told["tokens"]
    lines = [table(report.totals(), ["", "rulings", "tokens", "seconds"]), ""]
    pace = f"{now / report.seconds:.1f} rulings and {tokens / report.seconds:.0f} tokens a second"
    lines.append(f"{now} in {report.seconds:.1f} seconds: {pace}")
    lines += [f"refused: {outcome.ruling}: {outcome.why}" for outcome in report.refused[:_SHOWN]]
    if len(report.refused) > _SHOWN:
        lines.append(f"refused: {len(report.refused) - _SHOWN} more, see the report")
    if report.skipped:
        lines.append(f"no rulings, left out: {', '.join(report.skipped[:_SHOWN])}")
    return "\n".join(lines).encode("utf-8", "backslashreplace").decode()  # names of files need not be Unicode
