"""What a model promises to miss at most, as it is kept in the model; `aef.evaluation.calibration` finds what can be
promised."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from aef.errors import InputError

UNITS = ("entities", "documents")
METHODS = {"crc": "conformal risk control", "ltt": "learn then test"}
ENTITY_RULE = "every counting token of every mention hidden"


@dataclass(frozen=True)
class Promise:
    """What was promised: for which ``unit`` and ``target`` which ``miss`` (a fraction), how, and on what.

    ``confidence`` is None for ``crc``. ``documents``: how many it was calibrated on. ``threshold``: the probability
    from which a token is hidden. ``consistency``: whether the tagging promised for spreads what it found.
    """

    unit: str
    miss: float
    confidence: float | None
    method: str
    documents: int
    threshold: float
    target: str
    consistency: bool
    entity_rule: str = ENTITY_RULE

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> Promise:
        """From `to_dict`. Raises `ValueError`, `TypeError` or `KeyError` for a record that is none."""
        promise = cls(**record)
        check(promise.miss, promise.confidence, promise.unit, promise.method)
        return promise

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        what = {
            "entities": f"on average at most {percent(self.miss)} of a document's entities are missed",
            "documents": f"at most {percent(self.miss)} of the documents have a missed entity",
        }
        sure = "in expectation" if self.confidence is None else f"with {percent(self.confidence)} confidence"
        return (
            f"{what[self.unit]}, {sure} ({METHODS[self.method]} on {self.documents} documents, target "
            f"'{self.target}'), in rulings drawn like those it was calibrated on"
        )


def check(miss: float, confidence: float | None, unit: str, method: str) -> None:
    """Raise `InputError` for what cannot be promised."""
    if unit not in UNITS:
        raise InputError(f"unit '{unit}': there are {', '.join(UNITS)}")
    if method not in METHODS:
        raise InputError(f"method '{method}': there are {', '.join(METHODS)}")
    for name, value in (("miss", miss), ("confidence", confidence)):
        if value is not None and not 0 < value < 1:
            raise InputError(f"{name} {value}: a share between 0 and 1 is wanted, such as 0.05")
    if method == "ltt" and confidence is None:
        raise InputError("method 'ltt' promises with a confidence: give one, such as 0.95, or use 'crc'")
    if method == "crc" and confidence is not None:
        raise InputError(f"method 'crc' promises an expectation, without confidence {confidence}: use 'ltt'")


def percent(share: float) -> str:
    return f"{100 * float(share):.4g}%"
