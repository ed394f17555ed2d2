"""Phrases of a list in every spelling: what is found, and what is not."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aef.names.phrases import glued, occurrences

FOUND = [
    ("as it is written", "Ms. Green left.", "Green", ["Green"]),
    ("in capitals", "Ms. GREEN left.", "Green", ["GREEN"]),
    ("in small letters", "anne green, n.d.", "Anne Green", ["anne green"]),
    ("the phrase in capitals", "Ms. Green left.", "GREEN", ["Green"]),
    ("a short word with a capital", "Ms. May may; MAY.", "May", ["May", "MAY"]),
    ("a short phrase in small letters", "he; HE", "he", ["he", "HE"]),
    ("without the accents", "Rene Müller", "René Muller", ["Rene Müller"]),
    ("accents decomposed", "Rene\u0301 Roe\u0301.", "René Roé", ["Rene\u0301 Roe\u0301"]),
    ("a ligature and a sharp s", "Straße, STRASSE, o\ufb03ce", "Strasse", ["Straße", "STRASSE"]),
    ("hyphens of all kinds", "A‐Mar A‑Mar A–Mar", "A-Mar", ["A‐Mar", "A‑Mar", "A–Mar"]),
    ("a hyphen or a space", "Anne Marie, Anne-Marie", "Anne-Marie", ["Anne Marie", "Anne-Marie"]),
    ("a space or a hyphen", "Anne Marie, Anne-Marie", "Anne Marie", ["Anne Marie", "Anne-Marie"]),
    ("a soft hyphen", "Mil\u00adlar left", "Millar", ["Mil\u00adlar"]),
    ("a soft hyphen in the phrase", "Millar left", "Mil\u00adlar", ["Millar"]),
    ("without width", "M\u200bil\u2060l\ufeffar left", "Millar", ["M\u200bil\u2060l\ufeffar"]),
    ("other spaces", "A\u00a0Roe, A\u2009\u202fRoe", "A Roe", ["A\u00a0Roe", "A\u2009\u202fRoe"]),
    ("a line break", "Anne\r\n   Roe", "Anne Roe", ["Anne\r\n   Roe"]),
    ("a word broken at the line's end", "Mil-\n  lar, Ro-\u00e9", "Millar", ["Mil-\n  lar"]),
    ("a name broken at its hyphen", "Anne-\nMarie", "Anne-Marie", ["Anne-\nMarie"]),
    ("possessives stay", "Green's, Green’s, Greens, Green'", "Green", ["Green", "Green", "Green"]),
    ("a possessive in the phrase", "Green and Green's", "Green’s", ["Green", "Green"]),
    ("an apostrophe of another kind", "O’Brien O'Brien Oʼbrien", "O'Brien", ["O’Brien", "O'Brien", "Oʼbrien"]),
    ("behind an elision", "l'Ouellet d’Ouellet", "Ouellet", ["Ouellet", "Ouellet"]),
    ("letters with a stroke, a letter without its dot", "Altınay, ALTINAY, Łukasz", "Altinay", ["Altınay", "ALTINAY"]),
    ("a word broken at a line's end inside a paragraph", "Mil- lar", "Millar", ["Mil- lar"]),
    ("whole words alone", "Greenwich McGreen Green2 Green-house", "Green", ["Green"]),
    ("beside an underscore", "Green_v_Roe", "Green", ["Green"]),
    ("signs at the end", "Acme Ltd. and Acme Ltd", "Acme Ltd.", ["Acme Ltd."]),
    ("signs that mean something to a pattern", "a+b (c) a.b", "A+B (C)", ["a+b (c)"]),
    ("a number", "File 12-345 and 12‑345", "12-345", ["12-345", "12‑345"]),
    ("nothing", "Green", " ", []),
    ("signs that nobody sees", "Green", "\u200b", []),
    ("no text", "", "Green", []),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "text", "phrase", "found"), FOUND, ids=[c[0] for c in FOUND])
def test_found(reason: str, text: str, phrase: str, found: list[str]) -> None:
    assert [text[start:end] for start, end in occurrences(text, phrase)] == found, reason


GLUED = [
    ("a name alone is none of these", "Mr. Hale, Anna Hale, (Hale) “Hale” Hale's; Hale. The", []),
    ("behind a title without a space", "Mr.Hale MrHale", ["Hale", "Hale"]),
    ("before a stroke, beside one", "HALE/ Hale/Green Hale_v_R", ["HALE", "Hale", "Green", "Hale"]),
    ("with a number", "Hale2 Exhibit3Hale", ["Hale", "Hale"]),
    ("over a comma without a space", "Hale,Anna", ["Hale"]),
    ("two names", "GreenHale AnnaHale", ["Green", "Hale", "AnnaHale"]),
    ("part of another name or word", "McHale MacHale Halewood GreenPeace inhale Smith-Hale", []),
    ("a mailbox", "anna.hale@a.org ahale@a.org HALE@a.org hale-green@a.org",
     ["anna.hale", "hale", "HALE", "hale", "green"]),
    ("a given name in a mailbox", "anna@a.org", ["anna"]),
    ("the address of a page", "http://a.org/~annahale/cv www.hale.ca", ["annahale", "hale"]),
    ("a short name inside a longer word of an address", "www.greenpeace.org whaler.com", []),
    ("the name of a file", "Hale_statement.docx scan-of-hale.PDF", ["Hale", "hale"]),
    ("broken by a hyphen", "Ha- le, An-\nna Ha-\nle", ["Ha- le", "An-\nna Ha-\nle"]),
    ("with an accent", "garcía@a.org Garci\u0301aHale", ["garcía", "Garci\u0301a", "Hale"]),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "text", "found"), GLUED, ids=[c[0] for c in GLUED])
def test_glued(reason: str, text: str, found: list[str]) -> None:
    places = glued(text, ["Anna Hale", "Hale", "Green", "García"], ["Anna"], {"mr"})
    assert [text[start:end] for start, end in places] == found, reason


NAMES = st.lists(st.text(st.sampled_from("abéñŁöz"), min_size=4, max_size=8), min_size=1, max_size=3)
UNSEEN = st.sampled_from(["", "", "\u00ad", "\u200b", "\ufeff"])


@given(NAMES, st.sampled_from([" ", "\u00a0", "\n", "-", "‑", " \u00ad"]), st.data())
def test_a_name_in_any_spelling_is_found_whole(name: list[str], joint: str, data: st.DataObject) -> None:
    style = data.draw(st.sampled_from([str.upper, str.title, str.lower]))
    form = data.draw(st.sampled_from(["NFC", "NFD"]))
    spelled = unicodedata.normalize(form, style(joint.join(name)))
    written = spelled[0] + "".join(data.draw(UNSEEN) + c for c in spelled[1:])
    text = f"Before {written}, after."
    assert [text[s:e] for s, e in occurrences(text, " ".join(name))] == [written]
