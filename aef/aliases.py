"""What a ruling says that a person is called besides: "Arjan, called AJ", "Rose Green (née PRICE)"."""

from __future__ import annotations

import re

from aef.names import titles

_WHO = r"(?:who|whom)\s+(?:(?:is|was|also|usually|always|everybody|everyone|all|better|then)\s+){0,3}"
_CALLED = re.compile(
    rf"(?:\s*[,(]\s*(?:(?P<who>{_WHO})|(?P<bare>))(?:called|calls|call)|(?:\s*[,(])?\s*(?:{_WHO})?(?:nicknamed|alias|"
    r"a\.k\.a\.|aka|(?:also\s+)?known\s+(?:(?:\w+\s+){1,3})?as)|\s*@)\s*[\"“‘']?"
)
_APART = re.compile(r"\s*[,)\"”’]")
"""What must follow where only "called" tells a nickname: "Ann Roe, called Smith as a witness" tells none."""
FORMERLY = re.compile(r"\s*[,(]?\s*(?:née|nee|né|formerly|formerly\s+known\s+as|previously|born)\s+(?:as\s+)?[\"“‘']?")
"""What stands between a name and the name of before."""
_NAME = re.compile(r"[^\W\d_a-zà-ÿ][^\W_]*")


def nickname(text: str, end: int) -> tuple[int, int] | None:
    """Where the nickname stands that is told behind a name that ends there, if one is.

    >>> nickname("Arjan, called AJ, was born", 5), nickname("Arjan, called AJ as a witness", 5)
    ((14, 16), None)
    """
    said = _CALLED.match(text, end)
    name = _NAME.match(text, said.end()) if said else None
    if said is None or name is None or name[0].lower() in titles():
        return None
    return name.span() if said["bare"] is None or _APART.match(text, name.end()) else None
