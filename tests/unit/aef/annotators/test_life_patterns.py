"""What an editor of a court would hide beside people's names, and what he would leave, each case with its reason.

The examples in the sets show what one pattern finds; here all patterns of ``court-en`` look at once.
"""

from __future__ import annotations

import pytest

from aef.annotators.patterns import Patterns
from aef.corpus_tools.document import Document

PATTERNS = Patterns(["common", "en", "en-life"], without=["OTHERDATE", "DECISION", "ECLI"])

SCHOOLS = [
    ("She goes to [Little Acorns Kindergarten] now.", "a kindergarten by name"),
    ("He is in year 4 at [Bishop Tufnell Junior School].", "a school of one stage"),
    ("The twins attend [Harbour Lights Montessori].", "a head of a name that is not School"),
    ("enrolled at [Willow Creek Elementary] in May", "American names leave School out"),
    ("a letter from [St Ninian’s R.C. Primary], dated", "a church school, abbreviated"),
    ("She starts at the [Geschwister-Scholl-Grundschule] soon.", "a German compound"),
    ("Both went to the [École Jean Moulin] in", "a French school"),
    ("at [Scoil Naomh Bríd] in", "an Irish one"),
    ("pupils of [Sekolah Kebangsaan Bukit Indah] said", "a Malay one"),
    ("in the [Escuela San Isidro] there", "a Spanish one"),
    ("her teacher at [P.S. 214] said", "American schools by number"),
    ("He left Primary School at eleven.", "a kind of school is nobody's"),
    ("before the Delhi High Court in", "High before Court is a court"),
    ("the Primary Care Trust was told", "Primary is a word of other names, too"),
]

FIRMS = [
    ("He works for [Tolland Haulage Ltd] as a driver.", "a legal form"),
    ("a director of [R J Marlow & Sons Pty Ltd], which", "initials, sons, a form of two words"),
    ("his shares in [Seri Fern Timber Sdn Bhd] were", "a Malaysian form"),
    ("employed by [Gebr. Kuhn Spedition GmbH] since", "a German form"),
    ("She keeps the books of [Ardgour Marine (Oban) Ltd] there.", "a place in brackets within the name"),
    ("his boss at [Wardle Fencing] said", "no form, but the name of a trade"),
    ("She bought it at [Ferris’s Saddlery] in", "a possessive and a trade"),
    ("a hygienist with [Bluebell Smiles Dental] in", "a trade at the end of three words"),
    ("partner in [Bakkerij Van der Velde] there", "a trade in front, abroad"),
    ("she crewed on the [M/V Coral Pacific] then", "a ship one works on"),
    ('with [Marsh & Marsh Well Service, LLC] ("[M&M]")', "the short name that the ruling gives a firm"),
    ("as in Salter v Peregrine Plastics Pty Ltd (1995)", "a party to a cited case"),
    ("ex parte Green Alder Industries Ltd was cited", "another form of citing"),
    ("instructed by Kemp & Solway Inc. of Durban", "a firm of lawyers"),
    ("the National Assembly passed it", "a parliament"),
    ("the Ministry of Health paid", "an authority"),
]

HOMES = [
    ("residing at [9 Ferry Wynd], for", "a Scottish word for a lane"),
    ("They lived at [Flat 3, 18 Nolan Street, Carlton] then.", "a flat, a street, a suburb"),
    ("the house stands at [No. 7 Alhaji Musa Close] there", "No. in front"),
    ("their home, [Blk 410 Bedok South Avenue 2 #07-100], was", "a block of Singapore"),
    ("home at [Lot 330, Lorong Fern Garden 4B] to", "a lot and a Malay lane"),
    ("lived at [2200 County Road 14400] then", "a numbered road"),
    ("both of [Lindenweg 7, 31100 Hoheneggelsen], said", "the number behind, the code before the town"),
    ("at [4 rue du Moulin] since", "a French street"),
    ("the flat at [ul. Polna 8/3] was", "a Polish one"),
    ("in the [Kerkstraat 12] since", "a Dutch one"),
    ("domiciled at [calle Jovellanos 60] then", "a Spanish one"),
    ("a room in [Via Garibaldi 12] then", "an Italian one"),
    ("The mother, from [Carrowmoyle], went", "a village on no list"),
    ("asleep at [Gort na Liag] that night", "with a particle within"),
    ('the property he died on, "[Merrigal Park]". It', "a farm by name"),
    ("PW1 Babu, of [Thekkekara House], gave", "a house of a family in Kerala"),
    ("They live in London now.", "a large place says nothing"),
    ("a lawyer practising in Zzyzxov came", "the town of a lawyer"),
    ("as was said in Zzyzxov v Smith", "a cited case"),
    ("at Zzyzx’s house", "a person's, no place"),
    ("heard at Bow Street Magistrates on", "a court by its street"),
    ("17 The Court orders", "the number of a paragraph"),
    ("Royal Courts of Justice, Strand, London, WC2A 2LL", "the address of the court itself"),
]

DATES = [
    ("Ann (b. [04/08/2011]) lives", "b. for born"),
    ("LEE, Ann (DOB [9/6/2002])", "DOB"),
    ("born on the [4th day of May, 2010] at", "solemn words"),
    ("Ann was born on [11 May 2012]. Rhys followed on [2 November 2014].", "the next child, a sentence on"),
    ("They had Zed on [1/6/2013] and", "had for bore"),
    ("Mr Doe died on [30 November 2016] and", "a death"),
    ("died intestate on [11th August, 2009] at", "a death with a word between"),
    ("who passed away on [March 3, 2015], left", "a kinder word for it"),
    ("the hearing on 4 April 2016 was short", "a date of the proceedings"),
    ("He died in 2012.", "a year says little"),
    ("after her death the judgment of 4 May 2012 stood", "the judgment's date"),
    ("the decision had expired on 31 December 2002", "what expires is no person"),
]

NUMBERS = [
    ("the wife (NRIC No. [S7713201B]) said", "Singapore"),
    ("(WN.KP. [810714-13-5565])", "Malaysia, with its check"),
    ("her passport (no. [612203418]) only", "no. in brackets"),
    ("a Polish national (passport [ZS 4471209]), was", "no no."),
    ("PPS [6433435F] was", "Ireland"),
    ("PAN of the husband, [ABCPK1234L]", "India's tax number"),
    ("His NHI was [KDR4400].", "a number of a health service"),
    ("(payroll number [0044712])", "an employer's number"),
    ("his account (Maritime, [1473 220 900]) in", "the bank's name before the number"),
    ("First Nat'l acct. [****7700]", "most of it starred already"),
    ("KCB a/c [4410200]", "a/c"),
    ("the Hilux [QAB 7700 K], from", "a plate behind the make"),
    ("bearing the registration [NUR 41100], seen", "a plate said to be one"),
    ("his number, [07700 900142], is", "a mobile telephone"),
    ("call [082 555 0143] now", "a telephone of South Africa"),
    ("in [Folio KY 20400F] there", "a register of land"),
    ("(crime ref [CC-20-118800]) in", "a file of the police"),
    ("attended (occurrence [PR23-118900]).", "the same in Canada"),
    ("Santos v. Santos (G.R. No. 112000, 1995)", "a cited case by its number"),
    ("Value of the appeal: EUR 3,000", "an amount"),
    ("paid on 08.11.2017 in", "a date is no telephone"),
    ("see Exhibit C-9 and Annexure P-7", "exhibits stay"),
    ("in the car PC 412 said", "the number of a constable"),
]

CASES = SCHOOLS + FIRMS + HOMES + DATES + NUMBERS


@pytest.mark.parametrize(("marked", "reason"), CASES, ids=[reason for _, reason in CASES])
def test_what_tells_of_a_life_is_found_and_nothing_else(marked: str, reason: str) -> None:
    text = marked.replace("[", "").replace("]", "")
    covered = [False] * len(text)
    for mention in PATTERNS.tag(Document.from_text(text)).mentions:
        covered[mention.start : mention.end] = [True] * (mention.end - mention.start)
    assert _letters(text, covered) == _letters(text, _wanted(marked)), reason


def _wanted(marked: str) -> list[bool]:
    """For each character of the text without its brackets, whether it stands within a pair."""
    wanted, inside = [], False
    for character in marked:
        if character in "[]":
            inside = character == "["
        else:
            wanted.append(inside)
    return wanted


def _letters(text: str, chosen: list[bool]) -> str:
    """The text with every chosen letter or digit as a star."""
    return "".join("*" if hidden and c.isalnum() else c for c, hidden in zip(text, chosen, strict=True))
