"""What a model found is made whole names, and what is no name is left alone."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aef import lexicons
from aef.boundaries.repair import repaired
from aef.corpus_tools.document import Document, Mention

LISTS = lexicons.load_all()

CASES = [
    ("Q. Who was it?\nA. <A.> I do not know.", 0.2, "Q. Who was it?\nA. A. I do not know.", "a second turn is nobody"),
    ("Q. Who?\n  <A.> Nobody.", 0.9, "Q. Who?\n  A. Nobody.", "an answer's letter"),
    ("so <You'd> go", 0.9, "so You'd go", "a contraction"),
    ("on <Sundays> only", 0.8, "on Sundays only", "days of the week"),
    ("on 25th <August> he left", 0.5, "on 25th August he left", "a month beside a number"),
    ("till <May> they stayed", 0.5, "till May they stayed", "a month behind a word of time"),
    ("she told <May> so", 0.9, "she told <May> so", "a month, where nothing says so"),
    (
        "the case of <MAY> and others",
        0.7,
        "the case of <MAY> and others",
        "a month behind such a word, but rather sure",
    ),
    ("25/07, 21:14  <May>: yes", 0.5, "25/07, 21:14  <May>: yes", "a number in another column"),
    ("Mr. <Case> said so in this case", 0.2, "Mr. <Case> said so in this case", "a common word behind a title"),
    ("for J. <Case> of counsel", 0.2, "for <J. Case> of counsel", "and behind an initial"),
    ("<MA>. <CONSOLACION CRUZ>, petitioner", 0.5, "<MA. CONSOLACION CRUZ>, petitioner", "an abbreviated given name"),
    ("A. <CHRISTOFOROU>, J.", 0.9, "<A. CHRISTOFOROU>, J.", "an initial, where nobody is asked"),
    ("<Dale'd> come", 0.9, "<Dale>'d come", "a name in a contraction"),
    ("Ms. <May> left.", 0.9, "Ms. <May> left.", "a surname that is a month"),
    ("born in <Nairobi> and", 0.5, "born in Nairobi and", "a place"),
    ("Ms. <Paris> came", 0.9, "Ms. <Paris> came", "a surname that is a place"),
    ("he was in <London> in 2001", 0.5, "he was in London in 2001", "a place that is a surname, said as a place"),
    ("because of <Mammy>, he said", 0.9, "because of Mammy, he said", "what a child calls its mother"),
    (
        "the <Abduction> of a child, an abduction",
        0.2,
        "the Abduction of a child, an abduction",
        "also in small letters",
    ),
    ("the <Abduction> of a child, an abduction", 0.9, "the <Abduction> of a child, an abduction", "unless it is sure"),
    ("counsel, Ms <Gill KC> asked", 0.9, "counsel, Ms <Gill> KC asked", "a rank behind the name"),
    ("as <Cooke J.> said", 0.9, "as <Cooke> J. said", "a judge's letter"),
    ("before <HHJ Lacey> today", 0.9, "before HHJ <Lacey> today", "a judge's letters before"),
    ("his sister, Paris <Wiśniewska>, was", 0.9, "his sister, <Paris Wiśniewska>, was", "a given name that is a place"),
    ("that June <Chester> brought", 0.9, "that <June Chester> brought", "a given name that is a month"),
    ("for Ms I <YOUNG> and A K <Dhillon>", 0.9, "for Ms <I YOUNG> and <A K Dhillon>", "letters without a period"),
    ("see Exhibit A <Hale> wrote", 0.9, "see Exhibit A <Hale> wrote", "but one letter alone is none"),
    ("<ANN NOWAK> or <WHITE>, residing", 0.9, "<ANN NOWAK or WHITE>, residing", "a married woman's two surnames"),
    ("<Ann Nowak> or <White> did it", 0.9, "<Ann Nowak> or <White> did it", "but two people elsewhere"),
    (
        "<Mark Hale> left. She saw a ligature <mark> there.",
        0.6,
        "<Mark Hale> left. She saw a ligature mark there.",
        "a word of prose",
    ),
    ("<Ann Will> died. Read the Wills Act.", 0.9, "<Ann Will> died. Read the Wills Act.", "an act is no family"),
    ("<Sue Cole> left. Ms. Hope S.C. came", 0.9, "<Sue Cole> left. Ms. Hope S.C. came", "a rank is nobody's initials"),
    ("<Ann Heath> lives on <Heath> Road", 0.9, "<Ann Heath> lives on Heath Road", "a street is called after somebody"),
    ("<Ann Heath> owns <Heath> Farms Ltd, <Heath> Ltd", 0.9, "<Ann Heath> owns <Heath> Farms Ltd, Heath Ltd", "a firm"),
    ("to <Ann Heath>. Road works", 0.9, "to <Ann Heath>. Road works", "but not across a period"),
    ("in default <R.I.> for two years", 0.8, "in default R.I. for two years", "letters of a court"),
    ("and <R.I.> left him", 0.95, "and <R.I.> left him", "but a sure one's initials"),
    ("that is all\n\n_____ <J.>", 0.9, "that is all\n\n_____ J.", "a judge's rank below a line to sign on"),
    ("<HEATHER AND ROBERT> left", 0.9, "<HEATHER> AND <ROBERT> left", "two people in one mention"),
    ("<Ann, Bo & Cy> left", 0.9, "<Ann, Bo> & <Cy> left", "and three"),
    ("<Ann and> left", 0.9, "<Ann> and left", "a conjunction at the end"),
    ("<Ann and and Bo> left", 0.9, "<Ann> and and <Bo> left", "two conjunctions"),
    ("said <Soo>-ah <Kim> there", 0.9, "said <Soo-ah Kim> there", "a given name's rest behind a hyphen"),
    ("from <Al Hale>, Sr. <Lupe> is", 0.9, "from <Al Hale, Sr.> <Lupe> is", "a suffix ends the name before it"),
    ("by J. C. <Hathaway> in", 0.9, "by <J. C. Hathaway> in", "initials"),
    ("that Rutendo <Moyo> saw", 0.9, "that <Rutendo Moyo> saw", "a given name on no list"),
    ("the Teapot <Moyo> saw", 0.9, "the Teapot <Moyo> saw", "but no everyday word"),
    ("and exhibit PW11 <Moyo> saw", 0.9, "and exhibit PW11 <Moyo> saw", "and no number"),
    ("by <Marcus Case> III and", 0.9, "by <Marcus Case III> and", "what ends a name"),
    ("for <Asha Mol> P.J. and", 0.9, "for <Asha Mol P.J.> and", "initials behind a name"),
    ("<Smith> v. <Jones>, V.O.F. and", 0.9, "<Smith> v. <Jones>, V.O.F. and", "but no versus and no legal form"),
    ("<ROGELIO CRUZ> JR. came", 0.9, "<ROGELIO CRUZ JR.> came", "a suffix in capitals"),
    ("<KUMARAVEL> A/L <SUBRAMANIAM> came", 0.9, "<KUMARAVEL A/L SUBRAMANIAM> came", "a name with son of"),
    ("<MARIA> DO <CARMO> came", 0.9, "<MARIA DO CARMO> came", "a particle in capitals"),
    ("<Maria> do <Carmo> came", 0.9, "<Maria do Carmo> came", "a particle"),
    ("<Pedro> y <Juan> came", 0.9, "<Pedro> y <Juan> came", "but two people"),
    ("in the case of In 't <Veld> he", 0.9, "in the case of <In 't Veld> he", "Dutch particles"),
    ("he said 'not <Veld> today'", 0.9, "he said 'not <Veld> today'", "but no word before a quotation"),
    ("as was held in '<Veld> v <Hale>'", 0.9, "as was held in '<Veld> v <Hale>'", "nor one that such particles have"),
    ('<Ann Roe> ("Wife") left', 0.9, '<Ann Roe> ("Wife") left', "but not what a party is for short"),
    ("<Grace Cole> came. By the grace of God", 0.9, "<Grace Cole> came. By the grace of God", "but not elsewhere"),
    ("D. FACTS\n\n<E.> FINDINGS", 0.9, "D. FACTS\n\nE. FINDINGS", "a heading's letter"),
    ("so <M> said", 0.4, "so M said", "a letter that stands for mother"),
    ("and <This> is", 0.7, "and This is", "a word of grammar"),
    ("the <London> office", 0.3, "the London office", "a place, and hardly a name"),
    ("<Summer Bhogal> came. all summer long", 0.9, "<Summer Bhogal> came. all summer long", "but no word"),
    ("<Una Stone> left the US.", 0.9, "<Una Stone> left the US.", "initials that are something else"),
    ("see [1980] 2 <F.C.> 302", 0.9, "see [1980] 2 F.C. 302", "letters of a report"),
    ("the motion (<Dkt>. 71) is", 0.9, "the motion (Dkt. 71) is", "and of a docket"),
    ("Article 410 <C.C.Q.> applies", 0.9, "Article 410 C.C.Q. applies", "the law that an article is of"),
    ("she met <C.C.> there", 0.9, "she met <C.C.> there", "but initials elsewhere"),
    ("VI. FACTS\n\n<VII> FINDINGS", 0.9, "VI. FACTS\n\nVII FINDINGS", "a Roman numeral"),
    ("without, Your <Honor>, ice", 0.9, "without, Your Honor, ice", "how a judge is spoken to"),
    ("on <June> 3 and 4", 0.9, "on June 3 and 4", "a month before its day"),
    ("and <June>, 3, came", 0.9, "and <June>, 3, came", "but no age"),
    ("On <Monday>, on market day", 0.95, "On Monday, on market day", "a day, however sure"),
    ("<Will> you tell us?", 0.9, "Will you tell us?", "a question"),
    ("so <Will> told us", 0.9, "so <Will> told us", "but not a name within"),
    ("COUR <DE> LA ville", 0.9, "COUR DE LA ville", "a particle alone"),
    ("Mrs <Le> came", 0.9, "Mrs <Le> came", "but not behind a title"),
    ("by Smt. <Das> herself", 0.2, "by Smt. <Das> herself", "nor an Indian one"),
    ("See <NANNA V. NANNA> (2006)", 0.9, "See <NANNA> V. <NANNA> (2006)", "the two sides of a case"),
    ("In <Ram Singh Vrs>. Meena", 0.9, "In <Ram Singh> Vrs. Meena", "and one of them"),
    ("<JOHN V. SMITH> came", 0.9, "<JOHN V. SMITH> came", "but an initial is none"),
    ("<Kim Seo>-yeon came", 0.9, "<Kim Seo-yeon> came", "a name goes on behind a hyphen"),
    ("with May-<Britt> there", 0.9, "with <May-Britt> there", "and before one"),
    ("P.W.1 V.<Muthu> said", 0.9, "P.W.1 <V.Muthu> said", "an initial without a blank"),
    ("for Mr.<Ramasamy> now", 0.9, "for Mr.<Ramasamy> now", "but no title"),
    ('"it" is Ms <Wojcik>. pls tell it', 0.9, '"it" is Ms <Wojcik>. pls tell it', "but no word of grammar"),
    ('<Grace May> wrote: "it is Plan G"', 0.9, '<Grace May> wrote: "it is Plan G"', "but no letter of something"),
    ('<Grace May> wrote: "not now. B."', 0.9, '<Grace May> wrote: "not now. B."', "nor one that nobody's name has"),
    ("<Ann Roe> and B.C. Ferries", 0.9, "<Ann Roe> and B.C. Ferries", "but not beside a name"),
    ("<Hunter will> be six", 0.9, "<Hunter> will be six", "a verb that is a name, too"),
    ("at <Jun-jun> there", 0.9, "at <Jun-jun> there", "but no rest of a name"),
    ("before <Christmas> too", 0.9, "before Christmas too", "a feast"),
    ("Inuk or <Métis>, goes", 0.9, "Inuk or Métis, goes", "a people"),
    ("the Judge <Hathaway> in", 0.9, "the Judge <Hathaway> in", "a title does not belong to it"),
    ("when Smith, June <Chester>", 0.9, "when Smith, <June Chester>", "a comma parts names"),
    (
        "The wife, <Ann Roe>, called Mr. Lee as a witness. Mr. Lee came.",
        0.9,
        "The wife, <Ann Roe>, called Mr. Lee as a witness. Mr. Lee came.",
        "whoever calls a witness gives nobody a name",
    ),
    (
        "<Ann Roe>, known as Mr. Lee, came. Mr. Lee left.",
        0.9,
        "<Ann Roe>, known as Mr. Lee, came. Mr. Lee left.",
        "a title is no nickname",
    ),
    (
        "<Harman>, whom everybody calls <Happy>, was happy.",
        0.6,
        "<Harman>, whom everybody calls <Happy>, was happy.",
        "and was found with a doubt that the nickname takes away",
    ),
]


def parsed(marked: str, probability: float = 0.9) -> Document:
    pieces = marked.replace(">", "<").split("<")
    text, mentions = "", []
    for number, piece in enumerate(pieces):
        if number % 2:
            mentions.append(Mention(len(text), len(text) + len(piece), "PERSON", "DIRECT", None, probability))
        text += piece
    return Document.from_text(text, "made", mentions)


def shown(document: Document) -> str:
    text = document.text
    for mention in sorted(document.mentions, reverse=True, key=lambda m: m.start):
        text = f"{text[: mention.start]}<{text[mention.start : mention.end]}>{text[mention.end :]}"
    return text


@pytest.mark.parametrize(("marked", "probability", "wanted", "reason"), CASES, ids=[c[-1] for c in CASES])
def test_names_are_repaired(marked: str, probability: float, wanted: str, reason: str) -> None:
    assert shown(repaired(parsed(marked, probability), LISTS, "PERSON")) == wanted, reason


@pytest.mark.parametrize(
    ("words", "cut", "stays", "reason"),
    [
        ("françaises abgewiesen rappresentanza", -1.5, False, "words of another language are all around"),
        ("françaises abgewiesen rappresentanza", -3.0, True, "who looks for names from less on gets less sure ones"),
        ("clerk hearing legal", -1.5, True, "an English ruling"),
    ],
)
def test_names_in_a_ruling_full_of_another_language_must_be_surer(
    words: str, cut: float, stays: bool, reason: str
) -> None:
    document = parsed(f"so the {words} said <Zorvatko> of it", 0.4)
    assert bool(repaired(document, LISTS, "PERSON", cut).mentions) == stays, reason


def test_what_is_no_person_stays_as_it_is() -> None:
    document = Document.from_text("in Nova Scotia on Sundays", "made", [Mention(3, 14, "LOC"), Mention(18, 25, "MISC")])
    assert repaired(document, LISTS, "PERSON").mentions == document.mentions


WORDS = ["June", "Paris", "A.", "Mr.", "Green", "KC", "J.", "London", "called", "she", "May", "\n", "17", ",", "You'd"]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=25), st.data())
def test_mentions_stay_apart_and_inside_the_text(words: list[str], data: st.DataObject) -> None:
    document = Document.from_text(" ".join(words), "made")
    tokens = document.tokens
    chosen = sorted(data.draw(st.sets(st.integers(0, len(tokens) - 1)))) if len(tokens) else []
    found = [Mention(int(tokens.starts[t]), int(tokens.ends[t]), "PERSON", "DIRECT", None, 0.6) for t in chosen]
    mentions = sorted(repaired(document.with_mentions(found), LISTS, "PERSON").mentions, key=lambda m: m.start)
    assert all(0 <= m.start < m.end <= len(document.text) for m in mentions)
    assert all(a.end <= b.start for a, b in pairwise(mentions))
