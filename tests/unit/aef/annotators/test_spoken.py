"""Each ruling is read by the pipeline of its language, told from its text or said; what has none is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aef.annotators.spoken import Mixed, Spoken, of_language, pipelines
from aef.batch.recipe import Recipe
from aef.commands import main
from aef.corpus_tools import handwritten
from aef.corpus_tools.document import Document
from aef.errors import InputError

TEXTS = {
    "en": "The court has heard the mother of the child, and it is of the opinion that she must be believed. ",
    "es": "El tribunal ha oído a la madre de la niña, y es de la opinión de que se le debe creer en este caso. ",
    "fr": "La cour a entendu la mère de l'enfant, et elle est d'avis que celle-ci doit être crue dans cette affaire. ",
    "pt": "O tribunal ouviu a mãe da criança, e é de opinião de que se deve acreditar nela neste caso que não é novo. ",
    "de": "Das Gericht hat die Mutter des Kindes angehört und ist der Ansicht, dass ihr in der Sache zu glauben ist. ",
    "ro": "Instanța a ascultat pe mama copilului și este de părere că ea trebuie să fie crezută în această cauză. ",
}
DUTCH = "De rechtbank heeft de moeder van het kind gehoord en vindt dat zij moet worden geloofd in deze zaak. "
RULINGS = {
    "es": "VISTOS: Comparece la Sra. Lucía Bentancor, asistida por el Dr. Gonzalo Etcheverry. " + TEXTS["es"] * 4,
    "fr": "JUGEMENT. Mme Sophie Lafrenière est représentée par Me Pascal Grandmaison. " + TEXTS["fr"] * 4,
}


@pytest.fixture(scope="module")
def spoken() -> Spoken:
    return Spoken()


@pytest.mark.parametrize("language", sorted(TEXTS))
def test_the_language_decides(language: str, spoken: Spoken) -> None:
    assert spoken.of(Document.from_text(TEXTS[language] * 5)).language == language


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (TEXTS["fr"] * 2, "too short to tell"),
        ("1 2 3 " * 100, "no words"),
        ("", "nothing at all"),
        (TEXTS["en"] * 8 + TEXTS["es"] * 4, "a long quotation"),
    ],
)
def test_what_tells_nothing_else_is_english(text: str, reason: str, spoken: Spoken) -> None:
    assert spoken.of(Document.from_text(text)).language == "en", reason


def test_what_reads_like_no_known_language_is_refused(spoken: Spoken) -> None:
    with pytest.raises(InputError, match=r"reads like no language.*--language.*en, es"):
        spoken.tag(Document.from_text(DUTCH * 5))


def test_a_language_that_has_nothing_is_refused() -> None:
    with pytest.raises(InputError, match=r"nothing finds names in xx yet. There are: .*es, fr"):
        of_language("xx")
    assert {"en", "es", "fr", "pt", "de", "ro"} <= set(pipelines())


MIXED = [
    "JUDGMENT. Ms Margaret Ellwood, the mother, is represented by Mr Alan Pryce QC. The father, Mr Étienne Vauquelin, "
    "appears in person.",
    "The mother says that she left the home in Lyon on 3 May 2015 and that the father has not paid anything since. "
    "The court sets out the letter of the grandmother as it is.",
    "« Je suis la grand-mère de l'enfant. Mon fils Étienne a toujours été un bon père pour la petite Capucine, et il "
    "ne l'a jamais frappée. Mme Ghislaine Rambourg, la voisine, était là quand Margaret est partie de la maison. »",
    "« Elle le sait. »",
    "« Madame Rambourg a vu que Mme Ellwood n'avait pas pris les affaires de Capucine, et elle en a parlé à la police "
    "le lendemain, parce qu'elle avait peur pour l'enfant et pour Vauquelin. »",
    "The court does not believe that Mrs Rambourg was there. Ghislaine Rambourg told the officer that the grandmother "
    "had not been in the house on that day, and the father did not say that she was.",
]
NAMES = ["Margaret Ellwood", "Alan Pryce", "Étienne Vauquelin", "Étienne", "Capucine", "Ghislaine Rambourg", "Margaret"]
AGAIN = ["Rambourg", "Ellwood", "Capucine", "Vauquelin", "Rambourg", "Ghislaine Rambourg"]


def _people(document: Document) -> list[str]:
    return [document.cut(mention) for mention in document.mentions if mention.entity_type == "PERSON"]


def test_a_passage_is_read_in_its_own_language(spoken: Spoken) -> None:
    document = Document.from_text("\n\n".join(MIXED))
    assert isinstance(spoken.of(document), Mixed)
    tagged = spoken.tag(document)
    assert tagged.language == "en" and tagged.blocks == document.blocks
    assert _people(tagged) == [*NAMES, *AGAIN], "no plain French word taken for a name, and names of either part found"


def test_what_is_around_a_passage_is_read_as_without_it(spoken: Spoken) -> None:
    own = [*MIXED[:2], MIXED[-1]]
    alone, mixed = (_people(spoken.tag(Document.from_text("\n\n".join(parts)))) for parts in (own, MIXED))
    assert set(alone) <= set(mixed)


def test_whom_the_model_of_the_ruling_is_sure_of_stays_hidden_in_a_passage(spoken: Spoken) -> None:
    ruling = next(d for d in handwritten.rulings(half="open") if d.doc_id == "continental-01")
    assert isinstance(spoken.of(ruling), Mixed)
    assert "Hansueli Richter" in _people(spoken.tag(ruling)), "the model of German finds the surname alone"


def test_a_passage_without_its_own_language_left_is_read_all_the_same(spoken: Spoken) -> None:
    document = Document.from_text("\n\n".join([TEXTS["fr"] * 2 + "Mme Sophie Lafrenière est là.", TEXTS["es"] * 2]))
    assert "Sophie Lafrenière" in _people(spoken.tag(document))


@pytest.mark.parametrize("language", ["en", "es", "fr"])
def test_a_ruling_of_one_language_is_read_by_its_pipeline_itself(language: str, spoken: Spoken) -> None:
    document = handwritten.rulings(half="open", language=language)[0]
    pipeline = spoken.of(document)
    assert not isinstance(pipeline, Mixed) and pipeline.language == language


def test_a_mixed_ruling_is_anonymized_and_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r.txt").write_text("\n\n".join(MIXED), encoding="utf-8")
    assert main(["anonymize", "r.txt", "-o", "safe.txt"]) == 0
    safe = Path("safe.txt").read_text("utf-8")
    hidden = ("Ellwood", "Étienne", "Vauquelin", "Capucine", "Rambourg", "Margaret")
    assert not [name for name in hidden if name in safe] and "Alan Pryce QC" in safe
    assert "« Elle le sait. »" in safe and "Je suis la grand-mère" in safe
    assert main(["explain", "r.txt", "-o", "why.html"]) == 0
    assert "Rambourg" in Path("why.html").read_text("utf-8")


def test_what_is_asked_of_models_is_asked_of_each(spoken: Spoken) -> None:
    tagger = Recipe(threshold=0.9).tagger()
    assert tagger.of(Document.from_text(TEXTS["es"] * 5)).finders[0].cut_probability == pytest.approx(0.9)  # type: ignore[attr-defined]
    assert [finder.language for finder in tagger.finders] == ["en", "es"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--language", "xx"], "nothing finds names in xx yet"),
        (["--language", "es", "--model", "en-person"], "--language does not go with"),
        (["--language", "es", "--annotator", "court-fr"], "--language does not go with"),
    ],
)
def test_a_wrong_language(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r.txt").write_text(RULINGS["es"], encoding="utf-8")
    for words in (["anonymize", "r.txt", "-o", "safe.txt"], ["tag", "r.txt"]):
        assert main([*words, *arguments]) == 2
        assert message in capsys.readouterr().err
    assert not Path("safe.txt").exists()


def test_commands_tell_the_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = Path("rulings")
    folder.mkdir()
    for language, text in RULINGS.items():
        (folder / f"{language}.txt").write_text(text, encoding="utf-8")
    (folder / "nl.txt").write_text(DUTCH * 5, encoding="utf-8")
    assert main(["anonymize", "rulings/es.txt", "rulings/fr.txt", "-o", "safe/"]) == 0
    es, fr = (Path("safe", f"{language}.txt").read_text("utf-8") for language in RULINGS)
    assert "Bentancor" not in es and "Gonzalo Etcheverry" in es, "counsel stays"
    assert "Lafrenière" not in fr and "Pascal Grandmaison" in fr
    assert "reads like" not in capsys.readouterr().err
    assert main(["tag", "rulings/es.txt", "--language", "en"]) == 0
    assert "reads like Spanish, and is read as English" in capsys.readouterr().err
    assert main(["batch", "rulings", "-o", "done", "--json"]) == 1
    told = {row["ruling"]: row for row in json.loads(capsys.readouterr().out)["rulings"]}
    assert told["es.txt"]["status"] == told["fr.txt"]["status"] == "done"
    assert "reads like no language" in told["nl.txt"]["why"]
