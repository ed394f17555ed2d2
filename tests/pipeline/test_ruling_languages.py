"""``aef anonymize`` from the text alone in every language there is a pipeline for: told, read, replaced, verified."""

from __future__ import annotations

from pathlib import Path

import pytest

from aef.commands import main

RULINGS = [
    (
        "en",
        "The mother, Mrs. Helen Marsh, told the court that she had lived in the house since the spring. Mrs. Marsh "
        "asked for an order that the children live with her, and the father did not say anything against it.",
        "Marsh",
    ),
    (
        "es",
        "La madre, señora Lucía Fernández Ortega, dijo al juzgado que vivía en la casa desde la primavera. La señora "
        "Fernández Ortega pidió que los niños vivieran con ella, y el padre no se opuso a lo que ella pedía.",
        "Fernández",
    ),
    (
        "fr",
        "La mère, Madame Claire Fontanel, a déclaré au tribunal qu’elle vivait dans la maison depuis le printemps. "
        "Madame Fontanel a demandé que les enfants vivent avec elle, et le père ne s’y est pas opposé devant la cour.",
        "Fontanel",
    ),
    (
        "pt",
        "A mãe, senhora Helena Carvalho Pinto, disse ao tribunal que morava na casa desde a primavera. A senhora "
        "Helena Carvalho Pinto pediu que as crianças morassem com ela, e o pai não se opôs ao que ela pedia ao juiz.",
        "Carvalho",
    ),
    (
        "de",
        "Die Mutter, Frau Helga Brandner, hat dem Gericht gesagt, dass sie seit dem Frühjahr in dem Haus wohnt. Frau "
        "Brandner beantragte, dass die Kinder bei ihr wohnen, und der Vater hat dem nicht widersprochen.",
        "Brandner",
    ),
    (
        "ro",
        "Mama, doamna Elena Popescu, a declarat instanței că locuiește în casă din primăvară. Doamna Popescu a cerut "
        "ca minorii să locuiască împreună cu ea, iar tatăl nu s-a opus cererii pe care aceasta a făcut-o.",
        "Popescu",
    ),
]


@pytest.mark.parametrize(("language", "text", "name"), RULINGS, ids=[case[0] for case in RULINGS])
def test_a_ruling_is_read_in_its_language(
    language: str, text: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ruling.txt").write_text(text, encoding="utf-8")
    assert main(["anonymize", str(tmp_path / "ruling.txt"), "-o", str(tmp_path / "safe.txt")]) == 0
    assert name in text and name not in (tmp_path / "safe.txt").read_text("utf-8")
