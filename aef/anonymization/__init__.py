"""From a ruling to the same ruling, safe to publish: find, link, decide, replace, check, and only then write."""

from aef.anonymization.doubts import Asked, Clash, Doubt
from aef.anonymization.marking import Tagger, given
from aef.anonymization.run import Result, anonymize, names_in

__all__ = ["Asked", "Clash", "Doubt", "Result", "Tagger", "anonymize", "given", "names_in"]
