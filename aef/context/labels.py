"""What lines and columns tell of the names in them: labels, headings, signatures, lines of appearances."""

from __future__ import annotations

from collections.abc import Iterator

from aef.context import appearances
from aef.context.cues import SUGGESTED, TOLD
from aef.context.evidence import Evidence
from aef.context.judicial_panel import signed_as
from aef.context.lines import Label, heading_of, label_of, of_appearances
from aef.context.ruling import CLOSE, Context


def evidence_of_label(context: Context, low: int, high: int) -> Iterator[Evidence]:
    """What the label of the line or column tells."""
    label = label_of(context.text, low, context.forms["label"])
    if label is None:
        return
    weight = SUGGESTED if label.below else TOLD
    if word := label.found["word"]:
        meaning = context.cues["label"].meaning(word)
        yield Evidence(meaning[0] if meaning else "counsel", word, "label", label.start, weight)
    elif acts := label.found["acts"]:
        yield Evidence("counsel", acts, "label", label.start, weight)
    elif not acts and _represents(context, label, low, high):
        yield Evidence("counsel", label.found["cue"], "appearances", label.start)
    elif not acts:
        yield Evidence("party", label.found["cue"], "label", label.start, SUGGESTED)


def _represents(context: Context, label: Label, low: int, high: int) -> bool:
    """Whether who stands behind a party's label appears for the party: nobody whom the head has named before, but
    for a namesake who is called counsel."""
    named = context.text[: min(label.line, context.head_end or label.line)].casefold()
    listed = of_appearances(context.text, label, context.forms["label"], context.forms["letters"])
    called = context.forms["behind"].match(context.text, high, high + CLOSE)
    meaning = context.cues["behind"].meaning(called["cue"]) if called else None
    surname = context.text[low:high].casefold().split()[-1]
    return listed and (surname not in named or (meaning is not None and meaning[0] == "counsel"))


def evidence_of_lines(context: Context, low: int, high: int) -> Iterator[Evidence]:
    """What lines and columns tell: a signature over an office, a heading over names, a line of appearances."""
    p = context.forms
    if signed := signed_as(context.text, low, high, p["signed"]):
        yield from context.told("office", signed["cue"], signed.start("cue"))
    if headed := heading_of(context.text, low, p["label"]):
        yield from _headed(context, *headed)
    if not (context.in_head(low) or context.at_the_end(low)):
        return
    if acts := appearances.appears_for(context.text, low, high, p["appearing"]):
        yield Evidence("counsel", acts["cue"], "acts", acts.start("cue"))
    elif beside := appearances.beside(context.text, low):
        yield Evidence("counsel", beside[0], "beside", beside.start())


def _headed(context: Context, label: Label, above: int) -> Iterator[Evidence]:
    weight = TOLD if above == 1 else SUGGESTED
    if word := label.found["word"]:
        meaning = context.cues["label"].meaning(word)
        yield Evidence(meaning[0] if meaning else "counsel", word, "label", label.start, weight)
    elif acts := label.found["acts"]:
        yield Evidence("counsel", acts, "label", label.start, weight)
