"""``aef apply``: a review copy that an editor has gone through -> the ruling, safe to publish."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aef.anonymization.review import Applied

EPILOG = """examples:
  aef anonymize ruling.docx -o safe.docx --review review.docx
  aef apply review.not-for-publication.docx -o safe.docx        after an editor accepted and rejected in Word

Accepting a replacement keeps the label, rejecting it (deletion and insertion together) brings the name back. What is
left undecided stays hidden; the editor's own tracked changes are accepted. All comments are taken out, the editor's
own, too: what is published holds none. Where a name that is hidden may still be read in the file, nothing is written
and the exit code is 1."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.common import add_force, add_json

    parser.add_argument("reviewed", metavar="REVIEWED", help="the review copy, gone through in a word processor")
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help="the ruling for publication (.docx)")
    parser.add_argument("--allow-remaining", action="store_true", help="write even where a name remains")
    add_force(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from aef.anonymization.review import apply_review
    from aef.commands.common import flat, print_json, say

    applied = apply_review(
        arguments.reviewed, arguments.output, force=arguments.force, allow_remaining=arguments.allow_remaining
    )
    if arguments.json:
        print_json({"output": arguments.output, "written": applied.written, "remaining": applied.remaining,
                    "findings": [flat(one) for one in applied.findings], "decisions": applied.counts})  # fmt: skip
    say(_summary(arguments.reviewed, arguments.output, applied), arguments.quiet and not applied.remaining)
    return int(bool(applied.remaining))


def _summary(reviewed: str, output: str, applied: Applied) -> str:
    from aef.commands.common import still_there

    counts = ", ".join(f"{number} {outcome}" for outcome, number in sorted(applied.counts.items()))
    lines = [f"{reviewed}: {counts or 'no replacements'}" + (f" -> {output}" if applied.written else "")]
    if applied.remaining:
        done = "written all the same" if applied.written else "NOT WRITTEN (--allow-remaining writes it all the same)"
        places = still_there(applied.remaining, applied.findings)
        lines.append(f"  warning: hidden names can still be read in: {places}; {done}")
    return "\n".join(lines)
