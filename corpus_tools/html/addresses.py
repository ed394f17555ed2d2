"""Which addresses of a published page may stay: an allow-list, applied to what a browser makes of them.

A browser takes tabs and line ends out of an address, and signs of control and blanks off its ends, before it looks for
a scheme (WHATWG URL Standard, basic URL parser).
"""

from __future__ import annotations

import re
from string import ascii_letters, digits

_LINKS = frozenset({"href", "xlink:href", "action", "cite", "longdesc", "profile"})
_LOADED = frozenset(
    {"src", "srcset", "background", "poster", "data", "lowsrc", "dynsrc", "imagesrcset", "codebase", "archive", "icon"}
)
"""Attributes with an address that is followed, and with one that is loaded with the page."""
_LOADING_TAGS = frozenset({"link", "image", "use", "feimage"})  # of which href is loaded, too
_LINKED_TO = frozenset({"", "http", "https"})
_EVERYWHERE = frozenset({"javascript", "vbscript", "mailto", "tel", "sms", "callto", "data", "blob", "file"})
_CONTROLS = "".join(map(chr, range(0x21)))
_INSIDE = str.maketrans("", "", "\t\n\r")
_OF_SCHEMES = frozenset(ascii_letters + digits + "+.-")
_CSS_FOREIGN = re.compile(r"@import|url\(\s*+[\"']?\s*+(?!data:image/)(?:[a-z][a-z0-9+.-]*+:|[/\\]{2})", re.IGNORECASE)


def forbidden(tag: str, attribute: str, value: str) -> bool:
    """Whether an attribute's address must go: a foreign one that is loaded, or one of a scheme other than the web's.

    >>> [forbidden("a", "href", x) for x in ("https://a.org", "#p1", "p2.html", "java\\tscript:f()", " \\x01data:x")]
    [False, False, False, True, True]
    """
    address = value.strip(_CONTROLS).translate(_INSIDE)
    head, colon, _ = address.partition(":")
    scheme = head.lower() if colon and head[:1].isalpha() and _OF_SCHEMES.issuperset(head) else ""
    loaded = attribute in _LOADED or (attribute in _LINKS and tag in _LOADING_TAGS)
    if loaded:
        return bool(scheme) or "//" in address.replace("\\", "/")
    return scheme not in _LINKED_TO if attribute in _LINKS else scheme in _EVERYWHERE


def loads_foreign(sheet: str) -> bool:
    """Whether a style sheet, or a style, loads something from elsewhere; escapes could hide that it does."""
    return _CSS_FOREIGN.search(sheet) is not None or ("\\" in sheet and "(" in sheet)
