"""An editor's way from a first draft to a ruling without a leak: questions, the one worth most first, and answers."""

from aef.editing.facts import Fact
from aef.editing.questions import Question
from aef.editing.session import Session

__all__ = ["Fact", "Question", "Session"]
