"""Each ruling is read by the pipeline of its language, told from its text or said; what has none is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aef.annotators.spoken import Spoken, of_language, pipelines
from aef.commands import main
from aef.corpus_tools.document import Document
from aef.errors import InputError
from aef.recipe import Recipe

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
