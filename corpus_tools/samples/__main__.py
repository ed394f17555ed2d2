"""``python -m aef.corpus_tools.samples FOLDER``: write pairs of sample rulings."""

from __future__ import annotations

import argparse
import sys

from aef.corpus_tools.samples import generate, write_pairs
from aef.errors import InputError


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m aef.corpus_tools.samples", description="Write pairs of sample rulings as DOCX."
    )
    parser.add_argument("folder")
    parser.add_argument("--number", type=int, default=12, help="how many pairs (default: 12)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--slips", type=float, default=0.0, help="share of names the editor misses (default: 0)")
    parser.add_argument("--force", action="store_true", help="overwrite")
    args = parser.parse_args()
    try:
        pairs = write_pairs(args.folder, generate(args.number, args.seed, args.slips), args.force)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{len(pairs)} pairs written to {args.folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
