"""What is to be done with a folder of rulings, and what is wrong with such an order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from aef.batch.recipe import Recipe
from aef.corpus_tools.files import must_be_new
from aef.errors import InputError
from aef.replacement.sealing import Seal, read_passphrase


@dataclass(frozen=True)
class Order:
    """What is to be done: the folders, the recipe, and the options of ``aef batch``.

    cases : ``folder`` (each subfolder is a case), or a file that says which ruling belongs to which case. case_folder :
    where the cases' secret files are. passphrase_file : what seals them (default: the environment). timeout : the
    seconds a worker may take for one ruling; None for any number. retry : try the refused ones again. force : overwrite
    outputs, do changed rulings again, and start anew where settings were others. fetch, put : addresses in stores
    (`aef.batch.store`), where the rulings are, of which ``source`` has the names, and where a copy of ``output`` goes.
    """

    source: Path
    output: Path
    recipe: Recipe = field(default_factory=Recipe)
    cases: str | None = None
    case_folder: Path | None = None
    passphrase_file: str | None = None
    timeout: float | None = 600
    allow_remaining: bool = False
    retry: bool = False
    force: bool = False
    fetch: str | None = None
    put: str | None = None


def check_folders(order: Order) -> None:
    """Raise `InputError` for folders that cannot be those of one order."""
    if order.timeout is not None and not 0 < order.timeout < float("inf"):
        raise InputError(f"timeout {order.timeout:g}: a number of seconds above 0 is wanted, such as 600")
    source, output = order.source.resolve(), order.output.resolve()
    if order.output.exists() and not order.output.is_dir():
        raise InputError.at(order.output, "is a file", remedy="Name a folder for the anonymized rulings")
    if source == output or source in output.parents or output in source.parents:
        raise InputError(f"{order.output} and {order.source}: one folder is inside the other. Name another output")
    if order.cases is not None and order.fetch is not None:
        raise InputError("--cases goes with folders alone, not with rulings in a store")
    if order.cases is not None and order.case_folder is None:
        remedy = "Name a folder for the cases' secret files, out of what is published: --case-folder FOLDER"
        raise InputError(f"--cases needs --case-folder. {remedy}")
    if order.case_folder is None:
        return
    if order.cases is None:
        raise InputError("--case-folder goes with --cases folder, or --cases FILE")
    folder = order.case_folder.resolve()
    if order.case_folder.exists() and not folder.is_dir():
        raise InputError.at(order.case_folder, "is a file", remedy="Name a folder for the case files")
    if folder == output or output in folder.parents:
        remedy = "Name a folder outside: case files are secret"
        raise InputError.at(order.case_folder, "is inside the output folder", remedy=remedy)


def check_passphrase(order: Order) -> bool:
    """Whether case files are sealed. A wrong passphrase is told by the first sealed file that is there."""
    from aef.replacement.case_file import Case
    from aef.replacement.sealing import MAGIC

    if order.case_folder is None:
        if order.passphrase_file is not None:
            raise InputError("--passphrase-file goes with --cases and --case-folder")
        return False
    phrase = read_passphrase(order.passphrase_file)
    if phrase is not None:
        Seal(phrase)  # says where there is none, or no library
    for path in sorted(order.case_folder.glob("*.aefcase")):
        with path.open("rb") as stream:
            begins = stream.read(len(MAGIC))
        if begins == MAGIC:
            Case.open(path, phrase)
            break
    return phrase is not None


def check_outputs(order: Order, rulings: Sequence[str]) -> None:
    """Raise `InputError` where an output exists that the order does not let be overwritten."""
    must_be_new([order.output / ruling for ruling in rulings], order.force)
