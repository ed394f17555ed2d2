"""The pages that commands write, in a real browser: at 400 pixels, light and dark, by the keyboard, read out.

Needs Chromium and Playwright (``pip install '.[browser]'``); skipped, with the reason said, where one is missing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from looks import FAINT, UNNAMED, WIDER

from aef.commands import main


@pytest.fixture(scope="module")
def pages(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    gold, ruling = str(demo / "gold.jsonl"), str(demo / "original" / "ruling-003.docx")
    written = {
        "alignment": demo / "alignment.html",
        "explanation": folder / "why.html",
        "errors": folder / "errors.html",
        "study": folder / "study" / "report.html",
    }
    why, errors, study = (str(path) for name, path in written.items() if name != "alignment")
    assert main(["explain", ruling, "-o", why]) == 0
    assert main(["evaluate", gold, "--cv", "2", "--features", "C4,W0", "--report", errors]) == 0
    features = ["--features", "C4,W0,FirstCap", "-k", "2", "--folds", "2"]
    assert main(["study", gold, "-o", str(Path(study).parent), *features, "--quiet"]) == 0
    return written


@pytest.fixture(params=["alignment", "explanation", "errors", "study"])
def page(request: pytest.FixtureRequest, browser: Any, pages: dict[str, Path]) -> Any:
    opened = browser.new_page(viewport={"width": 400, "height": 800})
    opened.goto(pages[request.param].as_uri())
    opened.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
    yield opened
    opened.close()


@pytest.mark.slow
def test_it_fits_into_400_pixels(page: Any) -> None:
    assert page.evaluate(WIDER) <= 0


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_can_be_read_light_and_dark(page: Any, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme)
    assert page.evaluate(FAINT) == []
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (ground == "rgb(255, 255, 255)") == (scheme == "light")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


@pytest.mark.slow
def test_it_can_be_read_out(page: Any) -> None:
    assert page.evaluate("document.documentElement.lang") == "en"
    assert page.evaluate("document.querySelectorAll('h1').length") == 1
    assert page.evaluate(UNNAMED) == []


@pytest.mark.slow
def test_why_a_word_is_hidden_is_told_by_the_keyboard_and_said(browser: Any, pages: dict[str, Path]) -> None:
    page = browser.new_page()
    page.goto(pages["explanation"].as_uri())
    page.keyboard.press("n")
    told = page.inner_text("aside[aria-live] h2")
    page.keyboard.press("ArrowRight")
    assert page.inner_text("aside[aria-live] h2") != told
    assert page.query_selector_all("aside .fact small"), "each predicate says what it is"
    page.close()
