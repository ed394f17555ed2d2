"""What scikit-learn asks of an estimator, for what learns from documents: each document is a sample.

`sklearn.base.BaseEstimator` would bring scikit-learn into every tagging, which takes longer than tagging a ruling.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from aef.corpus_tools.document import Document
from aef.tagging.targets import counted


class Estimator:
    """Parameters by name, as they were given; ``asked`` holds them, and the class's ``__init__`` sets it first."""

    asked: dict[str, Any]
    target: str

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters it was made with, by name; what was learned, or read from a file, is none."""
        return dict(self.asked)

    def set_params(self, **params: Any) -> Self:
        """The same with other parameters, and nothing learned yet. Raises `ValueError` for a name that is none."""
        if unknown := sorted(params.keys() - self.asked.keys()):
            raise ValueError(f"no parameter is called {', '.join(unknown)}; there are {', '.join(self.asked)}")
        if params:
            self.__init__(**{**self.asked, **params})  # type: ignore[misc]
        return self

    def tag_all(self, documents: Sequence[Document]) -> list[Document]:
        """The documents with the mentions found in each."""
        raise NotImplementedError

    def predict(self, documents: Sequence[Document]) -> list[Document]:
        """`tag_all`, by the name that scikit-learn knows."""
        return self.tag_all(documents)

    def score(self, documents: Sequence[Document], y: object = None) -> float:
        """F2 on gold documents, the micro figure of `aef.evaluate`; 0 where there is nothing to find."""
        tagged = self.tag_all([document.with_mentions(()) for document in documents])
        counts = np.zeros(3, np.int64)
        for gold, found in zip(documents, tagged, strict=True):
            wanted, hidden = counted(gold, found, self.target)
            counts += [np.sum(wanted & hidden), np.sum(~wanted & hidden), np.sum(wanted & ~hidden)]
        right, wrong, missed = counts.tolist()
        return 5 * right / (5 * right + 4 * missed + wrong) if right else 0.0

    def __sklearn_clone__(self) -> Self:
        return type(self)(**self.asked)

    def __sklearn_is_fitted__(self) -> bool:
        return bool(getattr(self, "fitted", False))

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=False),
            input_tags=InputTags(two_d_array=False),
        )

    def __repr__(self) -> str:
        """The class with the parameters that are not the default's."""
        usual = inspect.signature(type(self).__init__).parameters
        told = (f"{name}={value!r}" for name, value in self.asked.items() if value is not usual[name].default)
        return f"{type(self).__name__}({', '.join(told)})"
