"""What a ruling says that a person is called besides: "Arjan, called AJ", "Rose Green (née PRICE)"."""

from __future__ import annotations

import re

_WHO = r"(?:who|whom)\s+(?:(?:is|was|also|usually|always|everybody|everyone|all|better|then)\s+){0,3}"
CALLED = re.compile(
    rf"(?:\s*[,(]\s*(?:{_WHO})?(?:called|calls|call)|(?:\s*[,(])?\s*(?:{_WHO})?(?:nicknamed|alias|a\.k\.a\.|aka|"
    r"(?:also\s+)?known\s+(?:(?:\w+\s+){1,3})?as)|\s*@)\s*[\"“‘']?"
)
"""What stands between a name and a nickname."""
FORMERLY = re.compile(r"\s*[,(]?\s*(?:née|nee|né|formerly|formerly\s+known\s+as|previously|born)\s+(?:as\s+)?[\"“‘']?")
"""What stands between a name and the name of before."""
_NAME = re.compile(r"[^\W\d_a-zà-ÿ][^\W_]*")


def nickname(text: str, end: int) -> str | None:
    """The nickname told behind a name that ends there, if one is.

    >>> nickname("Arjan, called AJ, was born", 5), nickname("Arjan called a cab", 5)
    ('AJ', None)
    """
    said = CALLED.match(text, end)
    name = _NAME.match(text, said.end()) if said else None
    return name[0] if name else None
