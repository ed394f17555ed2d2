"""Check digits and the like: whether a string is the number it looks like.

The algorithms are python-stdnum's and phonenumbers'; only what neither knows is here. (Weighed: schwifty for IBAN and
BIC, which needs pydantic for what stdnum does in a page; presidio's recognizers, which come with a whole framework.)
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from functools import cache
from importlib import import_module

from aef.errors import InputError

Check = Callable[[str], bool]


def check(name: str) -> Check:
    """A check by name: ``phone.RO,MD`` (a telephone number of one of the regions, or with its country code),
    ``unlisted.en.place_names,court_words`` (one word at least is in none of these word lists of a language), one of
    `OWN`, else a module of python-stdnum: ``iban``, ``luhn``, ``ro.cnp``, ``es.dni``.

    Raises `InputError` for a name that there is not.
    """
    if name.startswith("phone"):
        return _phone(name.partition(".")[2])
    if name.startswith("unlisted."):
        return _unlisted(name.partition(".")[2])
    return OWN[name] if name in OWN else _stdnum(name)


@cache
def _stdnum(name: str) -> Check:
    try:
        valid: Check = import_module(f"stdnum.{name}").is_valid
    except (ImportError, AttributeError) as error:
        own = ", ".join((*OWN, "phone.REGION"))
        raise InputError(f"no check is called '{name}'. There are {own} and the modules of python-stdnum") from error
    return lambda text: bool(valid(text))


@cache
def _phone(regions: str) -> Check:
    import phonenumbers

    known = phonenumbers.SUPPORTED_REGIONS
    asked: list[str | None] = [region for region in regions.split(",") if region]
    for region in asked:
        if region not in known:
            raise InputError(f"'phone.{regions}': no telephone region is called '{region}'. Regions are ISO codes: GB")

    def valid(text: str) -> bool:
        if not 7 <= sum(map(str.isdigit, text)) <= 17:
            return False
        for region in asked or [None]:
            try:
                if phonenumbers.is_valid_number(phonenumbers.parse(text, region)):
                    return True
            except phonenumbers.NumberParseException:
                continue
        return False

    return valid


@cache
def _unlisted(argument: str) -> Check:
    language, _, names = argument.partition(".")
    lists = [(name, language) for name in names.split(",")]

    def listed(word: str) -> bool:
        return any(word in _lowered(name, language) for name, language in lists)

    return lambda text: not all(listed(word.lower().replace("\u0307", "")) for word in text.split())  # İzmir


@cache
def _lowered(name: str, language: str) -> frozenset[str]:
    from aef import lexicons

    return lexicons.lowered(lexicons.load(name, language))


def _card(text: str) -> bool:
    """Luhn, and the length and first digit of a payment card."""
    digits = "".join(filter(str.isdigit, text))
    return 13 <= len(digits) <= 19 and digits[0] in "23456" and _stdnum("luhn")(digits)


def _ip(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def uruguayan_ci(text: str) -> bool:
    """The check digit of a Uruguayan identity card: the weights 2 9 8 7 6 3 4, modulo 10.

    >>> uruguayan_ci("1.234.567-2"), uruguayan_ci("1.234.567-3")
    (True, False)
    """
    digits = [int(c) for c in text if c.isdigit()]
    if not 7 <= len(digits) <= 8:
        return False
    digits = [0] * (8 - len(digits)) + digits
    total = sum(a * b for a, b in zip((2, 9, 8, 7, 6, 3, 4), digits, strict=False))
    return -total % 10 == digits[-1]


OWN: dict[str, Check] = {"card": _card, "ip": _ip, "uy.ci": uruguayan_ci}
"""The checks of our own, by name."""
