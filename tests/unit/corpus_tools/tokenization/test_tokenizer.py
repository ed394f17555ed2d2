"""The tokenizer of section 3.2 of the thesis, and the offsets it promises."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aef.corpus_tools.document import Document, paragraphs, tokenize_documents
from aef.corpus_tools.tokenization.tokenizer import tokenize
from aef.errors import InputError

WORDS = [
    ("[12] The plaintiff", ["The", "plaintiff"], "a paragraph number in brackets goes whole"),
    ("(1999)", ["1999"], "a balanced pair of parentheses goes"),
    ('"child"', ["child"], "balanced quotes go"),
    ("“child”", ["child"], "typographic quotes are quotes"),
    ("fashion)", ["fashion"], "a closing sign without its partner goes"),
    ("(see", ["see"], "an opening sign without its partner goes"),
    ("a(ii)", ["a(ii)"], "a pair inside the word stays"),
    ("said: yes; no, why? Stop!", ["said", "yes", "no", "why", "Stop"], "trailing marks go"),
    ("mother's", ["mother"], "the possessive goes"),
    ("mother’s", ["mother"], "the typographic possessive goes"),
    ("MILLAR'S", ["MILLAR"], "so it does in capitals"),
    ("the parties' home", ["the", "parties", "home"], "a trailing apostrophe goes"),
    ("O'Brien", ["O'Brien"], "an apostrophe inside a name stays"),
    ("family.... ...then", ["family", "then"], "ellipses at either end go"),
    ("…then", ["then"], "so does the one-character ellipsis"),
    ("she/he", ["she", "he"], "letters joined by a slash come apart"),
    ("Anne-Marie", ["Anne", "Marie"], "letters joined by a hyphen come apart"),
    ("02-fi-502", ["02-fi-502"], "a hyphen beside digits joins"),
    ("12/01", ["12/01"], "a slash beside digits joins"),
    ("S.R.2", ["S.R.2"], "initials keep their periods and number"),
    ("(“Mr. Green’s”),", ["Mr.", "Green"], "cleaning repeats until nothing is left to clean"),
    ("([1999])", ["1999"], "nested pairs go"),
    ("and Summer.1 He", ["and", "Summer", "1", "He"], "a note's number is no part of the word"),
    ("and Summer’s).12 He", ["and", "Summer", "12", "He"], "nor is it behind a possessive and a bracket"),
    (
        "**Jane Roe**, _Hale_ |Finn| *J.R.*",
        ["Jane", "Roe", "Hale", "Finn", "J.R."],
        "signs of markup are no part of a word",
    ),
    ("Roe* of 5*", ["Roe", "of", "5*"], "but a figure keeps its star"),
    (
        "O'Brien—who left.—Hale--said J.R.—no",
        ["O'Brien", "who", "left", "Hale", "said", "J.R.", "no"],
        "a long dash parts",
    ),
    (
        "Hale,Roe Finn;Ella Hale(mother)",
        ["Hale", "Roe", "Finn", "Ella", "Hale", "mother"],
        "so does a sign without a blank",
    ),
    (
        "Matter of A-B- number(s)",
        ["Matter", "of", "A-B-", "number(s)"],
        "not initials that hyphens part, nor an ending",
    ),
    ("to Green.[2] Hale[3] said", ["to", "Green", "Hale", "said"], "nor is its mark in brackets"),
    (
        "Mr Roe¹ and Lum* and O’Brien’s² car",
        ["Mr", "Roe", "and", "Lum", "and", "O’Brien", "car"],
        "or raised, or a star",
    ),
    ("Graham¹ left 3 km² of it", ["Graham", "left", "3", "km²", "of", "it"], "whatever the name ends in"),
    ("Smith-Jones[FN3] left", ["Smith", "Jones", "left"], "behind a name with a hyphen"),
    ("12 m² and [T]he child[ren]", ["12", "m²", "and", "[T]he", "child[ren]"], "but units and changed words stay"),
    ("Green.”12", ["Green", "12"], "behind a quotation, too"),
    ("*66Hope and 12Green's", ["66", "Hope", "and", "12", "Green"], "a page's number before a name"),
    ("Glover1 said", ["Glover", "1", "said"], "a note's number behind it"),
    ("the 1990s, 3rd, 21DNA, PW1, A4", ["the", "1990s", "3rd", "21DNA", "PW1", "A4"], "but not in other words"),
    ("Mr.Hale", ["Mr.", "Hale"], "a missing blank behind a title"),
    ("Plaintiff-Appellant,v.Ann Roe", ["Plaintiff", "Appellant", "v.", "Ann", "Roe"], "two parties without a blank"),
    ("HALE,JR., and", ["HALE", "JR.", "and"], "a missing blank behind a comma"),
    ("R.S.C.,c.1", ["R.S.C.,c.1"], "a chapter of a law"),
    (
        "Hale\u00e2\u0080\u0099s \u00e2\u0080\u009cTata\u00e2\u0080\u009d",
        ["Hale", "Tata"],
        "quotes of UTF-8 that were read as Latin-1",
    ),
    ("Smith.He left", ["Smith", "He", "left"], "a missing blank between sentences"),
    ("example.com a.b.c B.Com", ["example.com", "a.b.c", "B.Com"], "what has periods of its own stays"),
    ("Y.S.N.Reddy U.S.Army", ["Y.S.N.", "Reddy", "U.S.", "Army"], "initials that no blank parts from the name"),
    ("1.K.Ramasamy 2.Valli", ["1", "K.", "Ramasamy", "2", "Valli"], "a party's number before the name"),
    ("3.Tmt.A.Rose M/s.Ravi", ["3", "Tmt", "A.", "Rose", "M/s", "Ravi"], "abbreviations before it"),
    ("", [], "no text, no tokens"),
    (" \n\t ", [], "white space alone"),
    ("“”", [], "quotes around nothing"),
]


@pytest.mark.parametrize(("text", "words", "reason"), WORDS, ids=[r for _, _, r in WORDS])
def test_words(text: str, words: list[str], reason: str) -> None:
    assert tokenize(text).words == words, reason


PARTNERS = {"(": ")", "[": "]", "{": "}", '"': '"', "“": "”", "„": "“”", "«": "»", "‘": "’", "'": "'", "‹": "›"}
OPENERS = {")": "(", "]": "[", "}": "{", '"': '"', "”": "“„", "»": "«", "›": "‹"}


def cleaned(word: str) -> str:
    """What the tokenizer is to leave of a word, said plainly: the marks at both ends go, then one bracket or pair."""
    less = re.sub(r"^(\.{2,}|[…¿¡]|`+(?=[a-z]))+", "", word)
    less = re.sub(r"((\.{2,}|[…!?,:;'’`])+|['’][sS])$", "", less)
    if less:
        if less[0] in PARTNERS and len(less) > 1 and less[-1] in PARTNERS[less[0]]:
            less = less[1:-1]
        elif less[0] in PARTNERS and not set(PARTNERS[less[0]]) & set(less[1:]):
            less = less[1:]
        elif less[-1] in OPENERS and not set(OPENERS[less[-1]]) & set(less[:-1]):
            less = less[:-1]
    return less if less == word else cleaned(less)


def parted(left: str) -> list[str]:
    """The words in what is left, where nothing but signs stands between them; a bracket only beside three letters.

    Where something else stands, too, a comma without a blank parts what three letters end in before it."""
    if not re.search("[a-z]{2}", left):
        return [left] if len(left) == 1 or any(map(str.isalnum, left)) else []
    for i, sign in enumerate(left):
        beside = {"(": left[i + 1 : i + 4], ")": left[max(0, i - 3) : i]}.get(sign, "abc" if sign in "!?,:;" else "")
        if not sign.isalpha() and not (len(beside) == 3 and beside.isalpha()):
            pieces = re.split("(?<=[a-z]{3}),(?=[a-z])", left)
            return [word for piece in pieces for word in parted(piece)] if len(pieces) > 1 else pieces
    return re.findall("[a-z]+", left)


PIECES = st.lists(st.sampled_from([*"()[]{}\"“”„«»‘’'‹›.…¿¡!?,:;`s", "word"]), min_size=1, max_size=12)


@given(PIECES.map("".join))
def test_of_a_word_is_left_what_cleaning_again_and_again_leaves(word: str) -> None:
    assert tokenize(f"so {word} on").words == ["so", *parted(cleaned(word)), "on"]


ENDLESS = [
    ("en", "(", [], "opening signs"),
    ("en", ")", [], "closing signs"),
    ("en", "([{„«", [], "opening signs of all kinds"),
    ("en", "!", [], "marks"),
    ("fr", "l'", ["l"], "elisions"),
    ("fr", "l'«", ["l"], "elisions before quotes"),
]


@pytest.mark.parametrize(("language", "sign", "words", "reason"), ENDLESS, ids=[c[3] for c in ENDLESS])
def test_signs_without_end_and_without_a_blank_take_time_in_proportion(
    language: str, sign: str, words: list[str], reason: str
) -> None:
    many = 100_000  # in quadratic time the test would not end
    assert tokenize(sign * many, language=language).words == words * many, reason
    assert tokenize(f"a{sign * many}—", language=language).words, reason


SENTENCES = [
    ("He saw Mr. Edgar at B.C. Cancer Agency.", ["He"], "the thesis's example is one sentence"),
    ("He left. She stayed.", ["He", "She"], "a period before a capital ends a sentence"),
    ("Why? Because. No!", ["Why", "Because", "No"], "question and exclamation marks do"),
    ("see s. 12 of the Act", ["see"], "an abbreviation does not"),
    ("Smith v. The Queen", ["Smith"], "nor does v., even before an article"),
    ("He lived in B.C. The house was sold.", ["He", "The"], "initials do before a common word with a capital"),
    ("Dr. The", ["Dr."], "a title never does"),
    ("He paid 3.5 million.", ["He"], "a period inside a number is none"),
    ("He said “yes.” She said no.", ["He", "She"], "a closing quote after the period"),
    ("1. The applicant left.", ["1", "The"], "a paragraph's number stands by itself"),
    ("He came at 5 p.m. on Friday.", ["He"], "no sentence begins in lower case"),
    ("[3] He left. [4] She stayed.", ["He", "She"], "bracketed numbers are no words"),
]


@pytest.mark.parametrize(("text", "starts", "reason"), SENTENCES, ids=[r for _, _, r in SENTENCES])
def test_sentences(text: str, starts: list[str], reason: str) -> None:
    tokens = tokenize(text)
    assert [w for w, f in zip(tokens.words, tokens.first, strict=True) if f] == starts, reason


def test_the_period_that_ends_a_sentence_is_no_part_of_the_word_but_that_of_an_abbreviation_is() -> None:
    assert tokenize("He owns Indian River Ltd. He met W.M. They left.").words[-4:] == ["met", "W.M.", "They", "left"]


TEXTS = st.text(alphabet=st.one_of(st.characters(), st.sampled_from(list(" .,;:'’\"“”()[]{}/-–…!?\n\tMr1sS"))))


@given(TEXTS)
def test_every_token_cuts_exactly_its_characters_out_of_any_text(text: str) -> None:
    document = Document.from_text(text)
    tokens = document.tokens
    for word, start, end in zip(tokens.words, tokens.starts, tokens.ends, strict=True):
        assert text[start:end] == word != ""
    assert all(a <= b for a, b in zip(tokens.ends, tokens.starts[1:], strict=False))
    assert not any(c.isspace() for word in tokens.words for c in word)


@given(TEXTS)
def test_no_letter_or_digit_is_lost_but_possessives_and_paragraph_numbers(text: str) -> None:
    tokens = Document.from_text(text).tokens
    inside = {i for s, e in zip(tokens.starts, tokens.ends, strict=True) for i in range(s, e)}
    for i, character in enumerate(text):
        if character.isalnum() and i not in inside:
            possessive = character in "sS" and i and text[i - 1] in "'’"
            in_brackets = text.rfind("[", 0, i) >= 0 and text.find("]", i) >= 0
            assert possessive or in_brackets


@given(st.lists(st.one_of(TEXTS, st.sampled_from(["", " \n", "[1]", "1. He left.\n\n2. Mr.", "Mr. Green.\n\n\n(b)"]))))
def test_texts_tokenized_together_have_the_tokens_of_each_alone(texts: list[str]) -> None:
    documents = [Document.from_text(text) for text in texts]
    tokenize_documents(documents)
    for document in documents:
        alone = tokenize(document.text, [(b.start, b.end) for b in document.blocks])
        assert document.words == alone.words
        for name in ("starts", "ends", "first"):
            assert getattr(document.tokens, name).tolist() == getattr(alone, name).tolist()


@given(TEXTS)
def test_paragraphs_are_disjoint_and_hold_all_that_is_printed(text: str) -> None:
    blocks = paragraphs(text)
    inside = {i for b in blocks for i in range(b.start, b.end)}
    assert all(i in inside for i, c in enumerate(text) if not c.isspace())
    assert sum(b.end - b.start for b in blocks) == len(inside)


def test_a_document_knows_which_tokens_a_stretch_touches() -> None:
    document = Document.from_text("Ms. Green lives here. Mr. Millar's house is sold.")
    green = document.text.index("Green")
    assert [document.words[i] for i in document.token_range(green, green + 5)] == ["Green"]
    assert [document.words[i] for i in document.token_range(green - 4, green + 6)] == ["Ms.", "Green"]
    assert list(document.token_range(green + 5, green + 6)) == []


OTHER_LANGUAGES = [
    ("fr", "l'avocat d’Orléans", ["l", "avocat", "d", "Orléans"], "an elision comes apart, whatever its apostrophe"),
    ("fr", "jusqu'à ce qu'il vienne", ["jusqu", "à", "ce", "qu", "il", "vienne"], "so do the longer ones"),
    ("fr", "aujourd'hui, O'Neill", ["aujourd'hui", "O'Neill"], "an apostrophe that elides nothing stays"),
    ("fr", "d'Auvergne-Rhône", ["d", "Auvergne", "Rhône"], "behind it the word is treated as any other"),
    ("fr", "l'«Express», l' «Est»", ["l", "Express", "l", "Est"], "quotes behind it go"),
    ("fr", "l'art. 6, qu'O. Brun", ["l", "art.", "6", "qu", "O.", "Brun"], "an abbreviation keeps its period there"),
    ("en", "l'avocat", ["l'avocat"], "English has no elisions"),
    ("es", "¿Quién? ¡No!", ["Quién", "No"], "marks that open a sentence go"),
    ("es", "n.º 5, art. 6, la Sra. Ruiz", ["n.º", "5", "art.", "6", "la", "Sra.", "Ruiz"], "Spanish abbreviations"),
]


@pytest.mark.parametrize(("language", "text", "words", "reason"), OTHER_LANGUAGES, ids=[c[3] for c in OTHER_LANGUAGES])
def test_words_in_other_languages(language: str, text: str, words: list[str], reason: str) -> None:
    assert tokenize(text, language=language).words == words, reason


SENTENCES_ELSEWHERE = [
    ("fr", "Il vit M. Brun et Mme. Roche partir.", ["Il"], "a French title never ends a sentence"),
    ("fr", "M. Brun partit. L'avocat resta.", ["M.", "L"], "nor is it the number of a heading; an elision begins one"),
    ("fr", "Il vécut en U.R.S.S. L'avocat aussi.", ["Il", "L"], "even behind initials: an elision is a common word"),
    ("es", "Compareció la Sra. Ruiz. Después calló.", ["Compareció", "Después"], "a Spanish title"),
    ("es", "Véase el art. 6 y el núm. 5.", ["Véase"], "Spanish abbreviations, before a figure too"),
    ("es", "No. ¿Por qué no? ¡Basta!", ["No", "Por", "Basta"], "the opening mark begins a sentence"),
    ("es", "Vive en EE.UU. La casa es suya.", ["Vive", "La"], "the common words are the language's"),
    ("de", "Urteil vom 20. März 2017 des 3. Senats.", ["Urteil"], "a German ordinal ends no sentence before a noun"),
    ("de", "Sie erhielt 20. Die Klage ruht.", ["Sie", "Die"], "but before a common word"),
    ("de", "Das war 2017. Kläger ist er.", ["Das", "Kläger"], "a year is no ordinal"),
    (
        "es",
        "Vino el día 20. Marzo fue frío.",
        ["Vino", "Marzo"],
        "where a language has no such ordinals, figures end one",
    ),
]


@pytest.mark.parametrize(
    ("language", "text", "starts", "reason"), SENTENCES_ELSEWHERE, ids=[c[3] for c in SENTENCES_ELSEWHERE]
)
def test_sentences_in_other_languages(language: str, text: str, starts: list[str], reason: str) -> None:
    tokens = tokenize(text, language=language)
    assert [w for w, f in zip(tokens.words, tokens.first, strict=True) if f] == starts, reason


def test_a_language_without_lists_is_answered_with_those_there_are() -> None:
    with pytest.raises(InputError, match=r"'xx'.*en, es, fr"):
        tokenize("any text", language="xx")


def test_a_document_is_tokenized_in_its_language_alone_or_among_others() -> None:
    document = Document.from_text("L'avocat vint.")
    french = document.in_language("fr")
    assert document.in_language("en") is document
    assert (document.words, french.words) == (["L'avocat", "vint"], ["L", "avocat", "vint"])
    among = [Document.from_text("L'avocat vint."), Document.from_text("L'avocat vint.").in_language("fr")]
    tokenize_documents(among)
    assert [d.words for d in among] == [document.words, french.words]


@pytest.mark.parametrize("language", ["es", "fr"])
@given(text=TEXTS)
def test_offsets_hold_in_every_language(language: str, text: str) -> None:
    tokens = tokenize(text, language=language)
    assert [text[a:b] for a, b in zip(tokens.starts, tokens.ends, strict=True)] == tokens.words
    assert all(tokens.ends[:-1] <= tokens.starts[1:])
