"""What tells a role, and of whom it is told: of one name, or of others beside it."""

from __future__ import annotations

from dataclasses import dataclass

from aef.context.cues import TOLD
from aef.corpus_tools.tokenization.chunks import WORDS
from aef.names.parts import word_set

_OF_SEVERAL = word_set(
    "judges justices magistrates giudici consiglieri adv advs advocates attorneys solicitors avvocati mes "
    "rechtsanwälte rechtsanwältinnen"
)
"""Ends what is said of all who follow one another."""
_OF_COUNSEL = ("maître", "rechtsanw", "adv", "avv", "avocat", "abogad", "letrad", "adwok", "procurador")
"""Opens what only counsel is called by: party words behind the name are then about the client."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What tells a role: the cue as it stands in the text (or of the metadata), from where, and how much it weighs."""

    role: str
    cue: str
    source: str
    start: int = -1
    weight: int = TOLD

    def __str__(self) -> str:
        place = f" at {self.start}" if self.start >= 0 else ""
        return f"{self.role}: {' '.join(self.cue.split())!r} ({self.source}{place})"


def of_the_name_itself(found: list[Evidence]) -> list[Evidence]:
    """The evidence of a mention without what is said of others: of the client behind counsel's name, or of counsel
    where a relative represents somebody."""
    titled = any(e.role == "counsel" and e.source == "before" and _is_of_counsel(e.cue) for e in found)
    kin = any(e.role in ("relative", "child") and e.source == "noun" for e in found)
    if titled:
        return [e for e in found if (e.role, e.source) != ("party", "noun")]
    acting = [e for e in found if e.role == "counsel" and e.cue.lower().endswith(" by")]
    return [e for e in found if e not in acting] if kin else found


def _is_of_counsel(cue: str) -> bool:
    return cue in ("Me", "Mes") or cue.lower().startswith(_OF_COUNSEL)


def goes_back(evidence: Evidence) -> bool:
    """Whether what stands behind a name is told of the one before it in the list, too."""
    return evidence.source == "citation" or _of_several(evidence)


def goes_on(evidence: Evidence) -> bool:
    """Whether what is told of a name is told of the next in the list, too."""
    if evidence.source == "before" and evidence.role in ("judge", "counsel"):
        return not _OF_SEVERAL.isdisjoint(WORDS.findall(evidence.cue.lower())[-1:])
    return (
        evidence.source == "citation"
        or (evidence.role, evidence.source) == ("author", "before")
        or (evidence.source in ("before", "noun") and _of_several(evidence))
    )


def _of_several(evidence: Evidence) -> bool:
    """Whether the words call several people officials or experts: "Constables Roe and Lum"."""
    several = evidence.cue.lower().rstrip(".").endswith(("s", "gardaí", "gardai"))
    return several and evidence.source in ("before", "noun") and evidence.role in ("official", "expert")
