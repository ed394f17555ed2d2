"""A ruling in another language than it is read in is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aef.commands import main
from aef.corpus_tools.document import Document
from aef.corpus_tools.handwritten import languages, rulings
from aef.corpus_tools.languages import NAMES, FunctionWords, language_doubt

EN = "The court has heard the mother of the child, and it is of the opinion that she must be believed. "
FR = "La cour a entendu la mère de l'enfant, et elle est d'avis que celle-ci doit être crue dans cette affaire. "
NL = "De rechtbank heeft de moeder van het kind gehoord en vindt dat zij moet worden geloofd in deze zaak. "
ES = "El tribunal ha oído a la madre de la niña, y es de la opinión de que se le debe creer en este caso. "
PT = "O tribunal ouviu a mãe da criança, e é de opinião de que se deve acreditar nela neste caso, que não é novo. "
PT_HEADED = (
    "PODER JUDICIÁRIO DO ESTADO DE MINAS GERAIS\nRequerente: TEREZA CRISTINA NUNES\nRequerido: OTÁVIO NUNES FILHO\n"
    "Tereza Nunes, brasileira, enfermeira, ajuizou a presente ação de guarda em face de Otávio Nunes Filho, "
    "motorista, alegando que da união nasceu a menor Júlia Nunes, que vive consigo desde a separação.\n"
    "Citado, o requerido contestou. Sustenta que a senhora Tereza, embora trabalhe, impede visitas nas férias.\n"
    "Foram ouvidas as testemunhas Marlene Duarte, vizinha, e Paulo Rezende, professor. A psicóloga juntou o laudo.\n"
    "Conforme o laudo, algumas visitas foram impedidas, mediante desculpas várias, enquanto o pai pagava a pensão.\n"
    "Ante o exposto, julgo procedente o pedido e concedo a guarda da menor à requerente.\nPublique-se. Intimem-se.\n"
)
DE = "Das Gericht hat die Mutter des Kindes angehört und ist der Ansicht, dass ihr zu glauben ist. "

CASES = [
    (EN * 5, "en", "", "its own"),
    (FR * 5, "fr", "", "its own, with a pipeline of it"),
    (FR * 5, "en", "reads like French, and is read as English", "another one"),
    (EN * 5, "es", "reads like English, and is read as Spanish", "the other way"),
    (DE * 5, "en", "reads like German, and is read as English", "one without English words"),
    (PT * 5, "es", "reads like Portuguese, and is read as Spanish", "a language near by"),
    (
        PT_HEADED,
        "en",
        "reads like Portuguese, and is read as English",
        "names, headings and formulas beside few sentences",
    ),
    (ES * 5, "pt", "reads like Spanish, and is read as Portuguese", "the same the other way"),
    (NL * 5, "en", "reads like no language that there are word lists for", "an unknown one"),
    (FR * 2, "en", "", "too short to tell"),
    (EN * 8 + FR * 4, "en", "", "a long quotation"),
    ("1 2 3 " * 100, "en", "", "no words"),
    (FR * 5, "xx", "", "a language without lists says nothing of itself"),
]


@pytest.mark.parametrize(("text", "language", "said", "reason"), CASES, ids=[c[3] for c in CASES])
def test_what_is_said(text: str, language: str, said: str, reason: str) -> None:
    found = language_doubt(Document.from_text(text).in_language(language))
    assert found.startswith(said) and bool(found) == bool(said), reason


PASSAGES = [
    ([EN * 5], {}, "one language"),
    ([EN * 3, FR * 2, EN * 3], {"fr": [1]}, "a quotation"),
    ([EN * 3, FR, EN * 3], {}, "too short to tell"),
    ([EN * 3, FR * 2, "« Je le sais. »", FR * 2, EN], {"fr": [1, 2, 3]}, "a short one between two of the same"),
    ([EN * 3, FR * 2, "« Je le sais. »", DE * 3, EN], {"fr": [1], "de": [3]}, "a short one between two languages"),
    ([FR * 2, "Me Roe", EN * 3], {"fr": [0]}, "a short one between another and the ruling's own"),
    ([EN * 3, EN + FR], {}, "a quotation within a paragraph"),
    ([EN * 3, NL * 2], {}, "a language without lists"),
    ([FR * 2], {}, "a text too short to tell its own"),
    ([EN * 3, "1 2 3 " * 50, "Ann Roe and Bo Hale " * 12], {}, "numbers and names"),
    ([], {}, "nothing"),
]


@pytest.mark.parametrize(("parts", "found", "reason"), PASSAGES, ids=[c[2] for c in PASSAGES])
def test_passages_in_another_language(parts: list[str], found: dict[str, list[int]], reason: str) -> None:
    document = Document.from_text("\n\n".join(parts))
    told = FunctionWords.counted(document).passages("en")
    assert {code: [document.blocks.index(block) for block in blocks] for code, blocks in told.items()} == found, reason


def test_passages_are_told_beside_a_language_near_by() -> None:
    document = Document.from_text("\n\n".join([ES * 3, PT * 2]))
    assert list(FunctionWords.counted(document).passages("es")) == ["pt"]


QUOTING = {"en": {"continental-01": ["de"], "european-23": ["fr"]}}
"""The hand-written rulings that quote another language, by language."""


@pytest.mark.parametrize("language", languages())
def test_no_other_hand_written_ruling_has_passages_in_another_language(language: str) -> None:
    told = {d.doc_id: FunctionWords.counted(d).passages(language) for d in rulings(half="open", language=language)}
    assert told and {name: list(found) for name, found in told.items() if found} == QUOTING.get(language, {})


def test_the_names_are_those_of_the_languages_with_lists() -> None:
    from aef import lexicons

    assert set(NAMES) == set(lexicons.languages())


def test_no_hand_written_ruling_is_doubted() -> None:
    assert [d.doc_id for d in rulings("open") if language_doubt(d)] == []


def test_commands_tell_it(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r.txt").write_text(FR * 5, encoding="utf-8")
    told = "reads like French, and is read as English; take --language, a pipeline or a model of its language"
    for words in (["anonymize", "r.txt", "-o", "a.txt"], ["tag", "r.txt"], ["explain", "r.txt"]):
        assert main([*words, "--annotator", "patterns:en"]) == 0
        assert told in capsys.readouterr().err, words[0]
    assert main(["anonymize", "r.txt", "-o", "b.txt", "--annotator", "patterns:en", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["language"].startswith("reads like French")
    Path("s.txt").write_text(FR * 5, encoding="utf-8")
    assert main(["tag", "r.txt", "s.txt", "--annotator", "patterns:en"]) == 0
    assert capsys.readouterr().err.count("reads like") == 1, "a note is said once"
    assert main(["tag", "r.txt", "--annotator", "court-fr:numbers"]) == 0
    assert "reads like" not in capsys.readouterr().err
