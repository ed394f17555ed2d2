"""What an editor of a court would hide beside people's names, and what he would leave, each case with its reason.

The examples in the sets show what one pattern finds; here all patterns of ``court-en`` look at once.
"""

from __future__ import annotations

import pytest

from aef.annotators.patterns import Patterns
from aef.corpus_tools.document import Document

PATTERNS = Patterns(["common", "en", "en-quasi-identifiers"], without=["OTHERDATE", "DECISION", "ECLI"])

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
    ("attends [Szkoła Podstawowa nr 12 im. Adama Asnyka], where", "a number and a patron"),
    ('the [Scuola dell’Infanzia "Gianni Rodari"] reports', "its name in quotation marks"),
    ("in the [École communale n° 4] until", "a number only"),
    ("at the [crèche Les Petits Loups] in", "a French one written small"),
    ("at [Koivulan päiväkoti] in", "the kind of school behind, written small"),
    ("at the [Gemeinschaftsgrundschule Am Teich] in", "by its street"),
    ("until 2020 at [Tadika Bintang Kecil], which", "a Malaysian kindergarten"),
    ("at the École Nationale, a", "a school of the state"),
    ("under the Kindergarten Act", "a law"),
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
    ("a member of [Marsh & Marsh], and", "the same name twice"),
    ("has the shop, [Hogan’s of the Quay]. He", "in apposition"),
    ("held by the [Tawera Family Trust], was", "a family's trust"),
    ("in Hale & Hale (1988) the court", "a family's case, as Australia cites them"),
    ("in Alder Corp. v. Marsh it", "a firm that is a party to a cited case"),
    ("the Attorney General AG", "an office, no form of a firm"),
    ("the Property Settlement Agreement of", "a settlement of a case"),
    ("Dr Low of the Children’s Court Clinic saw", "a clinic of the court"),
    ("JOHN JUNE (OTHERWISE KNOWN AS) JONES", "capitals are no form of a firm"),
    ("as in Salter v Peregrine Plastics Pty Ltd (1995)", "a party to a cited case"),
    ("ex parte Green Alder Industries Ltd was cited", "another form of citing"),
    ("instructed by Kemp & Solway Inc. of Durban", "a firm of lawyers"),
    ("the National Assembly passed it", "a parliament"),
    ("the Ministry of Health paid", "an authority"),
]

HOMES = [
    ("residing at [9 Ferry Wynd], for", "a Scottish word for a lane"),
    ("They lived at [Flat 3, 18 Nolan Street, Carlton] then.", "a flat, a street, a suburb"),
    ("the flat at [ul. Polna 8/3] was", "a Polish one"),
    ("domiciled at [calle Jovellanos 60] then", "a Spanish one"),
    ("a room in [Via Garibaldi 12] then", "an Italian one"),
    ("PW1 Babu, of [Thekkekara House], gave", "a house of a family in Kerala"),
    ("at [rue Paul Janson 112, bte 3], then", "a letter-box"),
    ("at [Strada Lalelelor nr. 12, bl. 4, sc. B, ap. 17], in", "block, staircase and flat"),
    ("at [ul. Polna 8 m. 4] in", "a Polish flat"),
    ('at [ul. "Hristo Botev" 5] then', "a Bulgarian street in quotation marks"),
    ("house at [Rruga Ismail Qemali nr. 7], the", "an Albanian one"),
    ("at [Stand 1200, Budiriro 4], with", "Zimbabwe"),
    ("at [3300 Birch Street, Lot 12], in", "a place in a park of mobile homes"),
    ("at [2900 N. Juneau Court, Apt. 4], in", "a court that is a street"),
    ("D/O JOHN,\n      [PADINJAREKARA HOUSE, VAIPPUR P.O.], and", "in capitals, on the next line"),
    ("was published in Bota Sot, a daily", "a newspaper"),
    ("an extract from Vikudagur, a weekly", "another"),
    ("as is seen in Ex. A6", "an exhibit"),
    ("it said in Isles & Nelissen", "a cited case"),
    ("She was in Room 4 then", "a room"),
    ("an interview in Hmong", "a language"),
    ("at the Old Town Hall", "a hall"),
    ("of the Palazzo della Consulta", "a court's house"),
    ("see Resolution 15-2-12, Annex", "no flat's number"),
    ("in Ward 4, St Mary’s Hospital.", "a hospital's"),
    ("They live in London now.", "a large place says nothing"),
    ("a lawyer practising in Zzyzxov came", "the town of a lawyer"),
    ("as was said in Zzyzxov v Smith", "a cited case"),
    ("at Zzyzx’s house", "a person's, no place"),
    ("heard at Bow Street Magistrates on", "a court by its street"),
    ("17 The Court orders", "the number of a paragraph"),
    ("Royal Courts of Justice, Strand, London, WC2A 2LL", "the address of the court itself"),
]

DATES = [
    ("LEE, Ann (DOB [9/6/2002])", "DOB"),
    ("born on the [4th day of May, 2010] at", "solemn words"),
    ("Two children were born: Rosa, now of age, and Karl, on [3 May 2007].", "behind a colon"),
    ("Zed was born on [03.08.2013] and Zara Bibi on [21.11.2016].", "and the next one's"),
    ("On [11.07.2018] petitioner No.1 gave birth to", "the other way round"),
    ("The child was placed by the Local Authority (12 June 2019).", "the date of a report"),
    ("the Child Abduction and Custody Act (1 August 1986)", "of an Act"),
    ("RM900 a child per month w.e.f. 1.8.2021", "f. is no born"),
    ("On 3 May 2001 the court was born out", "nobody"),
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
    ("his number, [07700 900142], is", "a mobile telephone"),
    ("call [082 555 0143] now", "a telephone of South Africa"),
    ("in [Folio KY 20400F] there", "a register of land"),
    ("(crime ref [CC-20-118800]) in", "a file of the police"),
    ("attended (occurrence [PR23-118900]).", "the same in Canada"),
    ("Identification numbers [11-0400-6617] and [11-0400-6625] to", "two in a row"),
    ("proceedings [270 Js 41800/11] and", "a German prosecutor's"),
    ("CPF [123.456.700-09], and", "Brazil"),
    ("BVerfG, 1 BvR 16/72", "a cited decision"),
    ("Sygn. akt I C 870/16", "the case's own number"),
    ("City Hospital No. 7 came", "a hospital by number"),
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
