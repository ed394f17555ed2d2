"""Explanations: weights that add up to what tagging computed, reasons that agree with the tags, a safe page."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from html import unescape

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aef.classifiers.decoding import decode
from aef.corpus_tools.document import Block, Document, Mention
from aef.errors import InputError
from aef.evaluation.explanation import TokenExplanation, explain, tokens_at, tokens_of, tokens_of_mentions
from aef.features import REGISTRY, Extractor
from aef.features.ruling import Frequencies
from aef.reports.explanation_page import explanation_page
from aef.tagging.finder import Finder
from aef.tagging.labelled import lay_out
from aef.tagging.pooling import SHARES

SETS = {
    "rich": {"features": "rich"},
    "thesis, which looks at labels": {"features": "thesis"},
    "both": {"features": "rich,thesis"},
    "two passes": {"features": "rich", "second_pass": True},
    "tokens beside and phrases": {"features": "wide"},
}


def everything(finder: Finder, document: Document) -> list[TokenExplanation]:
    return explain(finder, document, range(len(document.words)))


@pytest.fixture(scope="module")
def finders(corpus: list[Document]) -> dict[str, Finder]:
    found = {name: Finder(**options, threshold=0.3).fit(corpus[:-2]) for name, options in SETS.items()}
    found["tokens beside and phrases"].share = SHARES[-1]
    return found


@pytest.fixture(scope="module")
def finder(finders: dict[str, Finder]) -> Finder:
    return finders["rich"]


# --- sums -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SETS)
def test_the_weights_add_up_to_the_scores_of_tagging(
    finders: dict[str, Finder], corpus: list[Document], name: str
) -> None:
    finder = finders[name]
    for document in corpus[-2:]:
        explained = everything(finder, document)
        sums = [e.intercept + sum(p.weight for p in e.predicates) for e in explained]
        layout = lay_out([document], Frequencies(finder.frequencies.documents))
        columns = list(Extractor(finder.features, finder.lexicons).columns(layout, finder.vocabulary))
        scores = finder._revised(finder._first_scores(finder.models, columns, layout, [document]), layout)
        _, history = decode(scores, layout, finder.cut)
        expected = scores.full(np.arange(len(sums)))[np.arange(len(sums)), history]
        np.testing.assert_allclose(sums, expected, rtol=0, atol=1e-9)
        np.testing.assert_allclose([e.log_odds for e in explained], expected, rtol=0, atol=1e-9)
        assert all(sorted(e.predicates, key=lambda p: -abs(p.weight)) == list(e.predicates) for e in explained)


def test_labels_are_looked_at_as_they_were_predicted(corpus: list[Document]) -> None:
    finder = Finder("FirstCap,W-1,C2,C7,Anony", threshold=0.3, consistency=False).fit(corpus[:-2])
    document = corpus[-1]
    explained = everything(finder, document)
    hidden = [e.hidden for e in explained]
    after, again = [], []
    for i, word in enumerate(document.words):
        after.append(i > 0 and hidden[i - 1] and not document.tokens.first[i] and word[0].isupper())
        again.append(any(h and w == word for h, w in zip(hidden[:i], document.words[:i], strict=True)))
    assert [any(p.feature == "C7" for p in e.predicates) for e in explained] == after
    assert [any(p.feature == "Anony" for p in e.predicates) for e in explained] == again
    assert any(after) and any(again)


def test_probabilities_are_those_of_the_mentions(finder: Finder, corpus: list[Document]) -> None:
    tagged = finder.tag(corpus[-1])
    compared = 0
    for mention in tagged.mentions:
        explained = explain(finder, tagged, list(tagged.token_range(mention.start, mention.end)))
        if not any(e.reason == "consistency" for e in explained):
            compared += 1
            mean = np.mean([e.probability for e in explained])
            assert mention.probability == pytest.approx(mean, abs=1e-4), tagged.cut(mention)
    assert compared


def test_outside_the_body_the_other_model_is_explained(corpus: list[Document]) -> None:
    headed = []
    for document in corpus[:6]:
        name = document.cut(document.mentions[0])
        shift = len(name) + 1
        blocks = tuple(Block(b.start + shift, b.end + shift, b.part) for b in document.blocks)
        mentions = [Mention(m.start + shift, m.end + shift, m.entity_type) for m in document.mentions]
        head = (Block(0, len(name), "head"), Mention(0, len(name), "PERSON"))
        headed.append(
            Document(f"{name.upper()}\n{document.text}", document.doc_id, (head[0], *blocks), (head[1], *mentions))
        )
    explained = everything(Finder(threshold=0.3).fit(headed[1:]), headed[0])
    assert [e.model for e in explained[:2]] == ["outside", "body"]
    assert explained[0].intercept != explained[1].intercept
    for e in explained[:2]:
        assert e.intercept + sum(p.weight for p in e.predicates) == pytest.approx(e.log_odds, abs=1e-9)


# --- decisions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threshold", [0.02, 0.3, 0.9])
def test_decisions_are_those_of_tagging(finder: Finder, corpus: list[Document], threshold: float) -> None:
    before = finder.cut
    finder.set_threshold(threshold)
    try:
        tagged = finder.tag(corpus[-1])
        explained = everything(finder, corpus[-1])
    finally:
        finder.cut = before
    assert [e.hidden for e in explained] == tagged.mask(tagged.mentions).tolist()
    for e in explained:
        assert e.threshold == pytest.approx(threshold)
        assert e.hidden == (e.reason in ("score", "consistency", "mention"))
        if e.reason in ("score", "below"):
            assert (e.probability > threshold) == e.hidden


def test_a_repetition_names_what_it_repeats(finder: Finder) -> None:
    text = "Mr. Osei works as a carpenter. The Court prefers the evidence of the plaintiff to OSEI now."
    repeated = [e for e in everything(finder, Document.from_text(text)) if e.text == "OSEI"]
    assert [(e.reason, e.hidden) for e in repeated] == [("consistency", True)]
    assert repeated[0].repeats is not None
    assert (repeated[0].repeats.text, repeated[0].repeats.start) == ("Osei", 4)
    assert repeated[0].probability < repeated[0].threshold


def test_punctuation_alone_is_no_mention(finder: Finder) -> None:
    before = finder.cut
    finder.set_threshold(1e-12)
    try:
        explained = everything(finder, Document.from_text("Mr. Osei, - left"))
    finally:
        finder.cut = before
    assert {e.text: e.reason for e in explained}["-"] == "punctuation"


def test_a_common_word_in_a_name_stays(corpus: list[Document]) -> None:
    finder = Finder(target="person", threshold=0.001).fit(corpus)
    explained = everything(finder, corpus[0])
    plain = {e.text for e in explained if e.reason == "plain"}
    assert plain and all(word.islower() for word in plain)
    assert not any(e.hidden for e in explained if e.reason == "plain")


def test_a_mention_made_wider_hides_what_is_in_it(finder: Finder, monkeypatch: pytest.MonkeyPatch) -> None:
    document = Document.from_text("Mr. Osei works as a carpenter.")
    wider = document.with_mentions([Mention(4, 14, "PERSON")])
    monkeypatch.setattr(finder, "tag", lambda _: wider)
    assert [e.reason for e in explain(finder, document, [1, 2, 3])] == ["score", "mention", "below"]


def test_names_that_the_model_does_not_hold_are_unknown_to_it(corpus: list[Document]) -> None:
    finder = Finder(["W0", "FirstCap"], threshold=0.3).fit(corpus[:-2])
    name = next(e for e in everything(finder, corpus[0]) if e.text == "Millar")
    assert name.unknown == ("W0=Millar",) and [str(p) for p in name.predicates] == ["FirstCap"]
    assert name.predicates[0].help == REGISTRY["FirstCap"].help


def test_another_language_is_read_in_it() -> None:
    text = "M. Durand est d'accord avec l'avocat. " * 4
    start = text.index("Durand")
    document = Document.from_text(text, mentions=[Mention(start, start + 6, "PERSON")])
    finder = Finder(threshold=0.3, language="fr").fit([document])
    words = document.in_language("fr").words
    assert [e.text for e in explain(finder, document, range(len(words)))] == words


# --- which tokens ---------------------------------------------------------------------------------------------------

TEXT = Document.from_text("Ann-Lee met Ann  Lee. Then ann met Bo; Leeds.")
WORDS = [
    ("Ann", ["Ann", "Ann"], "as written, with capitals"),
    ("Ann Lee", ["Ann", "Lee"], "several words, whatever white space parts them"),
    ("met", ["met", "met"], "every place"),
    ("Ann-Lee met", ["Ann", "Lee", "met"], "as in the text, not as in the tokens"),
]


@pytest.mark.parametrize(("words", "expected", "why"), WORDS, ids=[w[0] for w in WORDS])
def test_tokens_of(words: str, expected: list[str], why: str) -> None:
    assert [TEXT.words[i] for i in tokens_of(TEXT, words)] == expected, why


def test_tokens_at_every_offset() -> None:
    for i, (start, end) in enumerate(zip(TEXT.tokens.starts.tolist(), TEXT.tokens.ends.tolist(), strict=True)):
        assert {tuple(tokens_at(TEXT, offset)) for offset in range(start, end)} == {(i,)}


WRONG: list[tuple[Callable[[], object], str]] = [
    (lambda: tokens_at(TEXT, -1), "outside the text, which has the offsets 0 to 44"),
    (lambda: tokens_at(TEXT, 45), "offset 45 is outside"),
    (lambda: tokens_at(TEXT, 7), "in no token; the nearest begin at 4 and 8"),
    (lambda: tokens_of(TEXT, "Zoe"), "'Zoe' is not in the text as a whole word$"),
    (lambda: tokens_of(TEXT, "BO"), "with other capitals it is"),
    (lambda: tokens_of(TEXT, "Leed"), "not in the text as a whole word"),
    (lambda: tokens_of(TEXT, ";"), "';' is no word"),
    (lambda: tokens_of(TEXT, "  "), "is no word"),
    (lambda: explain(Finder(), TEXT, [0]), "has learned nothing"),
]


@pytest.mark.parametrize(("call", "message"), WRONG, ids=[w[1] for w in WRONG])
def test_what_is_wrong_is_said(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()


@pytest.mark.parametrize("token", [-1, 13])
def test_a_token_that_is_not_there(finder: Finder, token: int) -> None:
    with pytest.raises(InputError, match=f"token {token} is not in the document"):
        explain(finder, TEXT, [0, token])


def test_an_empty_document_has_nothing_to_explain(finder: Finder) -> None:
    empty = Document.from_text("")
    assert explain(finder, empty, []) == [] and tokens_of_mentions(finder.tag(empty)) == []
    with pytest.raises(InputError, match="outside the text"):
        tokens_at(empty, 0)


# --- the page -------------------------------------------------------------------------------------------------------


def page_of(finder: Finder, document: Document) -> str:
    tagged = finder.tag(document)
    return explanation_page(tagged, everything(finder, tagged), "<source>")


def shown(page: str) -> str:
    """The text that the page shows as the ruling."""
    inner = page.split("<div class=ruling>")[1].split("</div></main>")[0]
    return unescape(re.sub(r"</?(?:p|i|mark)(?: [^>]*)?>", "", inner))


def test_page(finder: Finder, corpus: list[Document]) -> None:
    tagged = finder.tag(corpus[-1])
    explained = everything(finder, tagged)
    page = explanation_page(tagged, explained, "<source>", explained[5].token)
    assert shown(page) == tagged.text
    assert page.count("<mark class='p") == len(tagged.mentions) + 1, "and the legend"
    assert "&lt;source&gt;" in page and "data-first=5>" in page and "Confidential" in page
    data = json.loads(page.split("id=data>")[1].split("</script>")[0])
    for e, token in zip(explained, data["tokens"], strict=True):
        weights = [data["predicates"][i][2] for i in token["has"]]
        assert token["intercept"] + sum(weights) == pytest.approx(e.log_odds, abs=1e-2)
        assert token["hidden"] == e.hidden and token["why"] in data["reasons"]


def test_the_page_can_send_nothing_and_runs_only_its_own_script(finder: Finder, corpus: list[Document]) -> None:
    page = page_of(finder, corpus[-1])
    policy = re.search(r'Content-Security-Policy content="([^"]*)"', page)
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert policy and len(scripts) == 1
    digest = b64encode(sha256(scripts[0].encode()).digest()).decode()
    assert policy[1] == f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    assert not re.search(r"(?:src|href)=|url\(|@import|innerHTML", page)


def test_only_what_is_explained_can_be_clicked(finder: Finder, corpus: list[Document]) -> None:
    tagged = finder.tag(corpus[-1])
    tokens = tokens_of_mentions(tagged)
    page = explanation_page(tagged, explain(finder, tagged, tokens), "source")
    assert page.count("<i data-n=") == len(tokens) and shown(page) == tagged.text


@settings(max_examples=25)
@given(
    st.lists(
        st.sampled_from(
            ["Mr. Osei", "</script>", "<script>alert(1)</script>", "&amp;", "'", '"', "\n\n", "<!--", "Ann\u2028", "é"]
        ),
        max_size=12,
    )
)
def test_any_text_is_shown_as_it_is(finder: Finder, pieces: list[str]) -> None:
    document = Document.from_text(" ".join(pieces), "</title><script>")
    page = page_of(finder, document)
    inner = page.split("<div class=ruling>")[1].split("</div></main>")[0]
    assert shown(page) == document.text
    assert set(re.findall(r"<(\w+)", inner)) <= {"p", "i", "mark"}
    assert page.count("<script") == page.count("</script>") == 2 and "<!--" not in page
