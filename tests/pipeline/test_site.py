"""The site: built without a warning, whole, readable without a network; and what its pages show runs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from looks import FAINT, WIDER
from lxml import html
from pages import Block, blocks, look_at, run

import aef
from aef.commands import COMMANDS
from aef.features import REGISTRY

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PARTS = ("tutorial", "how-to", "explanation", "reference", "course")
PAGES = sorted(path for part in PARTS for path in (DOCS / part).rglob("*.md") if "generated" not in path.parts)


RUN = ("console", "python", "shell")


def named(path: Path) -> str:
    return str(path.relative_to(DOCS))


# --- pages ----------------------------------------------------------------------------------------------------------


SHOWING = [
    path
    for path in PAGES
    if path.name != "solutions.md"  # which `test_course` runs in the notebooks they are of
    and any(block.language in RUN for block in blocks(path.read_text(encoding="utf-8")))
]


@pytest.mark.slow
@pytest.mark.parametrize("page", SHOWING, ids=map(named, SHOWING))
def test_what_a_page_shows_runs(page: Path, demo: Path, tmp_path: Path) -> None:
    if "\naef demo" not in page.read_text(encoding="utf-8"):
        shutil.copytree(demo, tmp_path / "aef-demo")
    # in a process of its own: pages register features, schemes and readers
    environment = {**os.environ, "AEF_PLUGINS": "", "MPLBACKEND": "agg"}
    command = [sys.executable, str(Path(__file__).with_name("pages.py")), str(page)]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.parametrize(
    ("page", "error", "reason"),
    [
        ("```console\naef models --nonsense\n```\n", SystemExit, "an option that is none"),
        ("```console\naef verify a.txt b.txt  # exit 1\n```\n", AssertionError, "another exit code than said"),
        ("```python\nprint(1)\n```\n\n```text\n2\n```\n", AssertionError, "another output than said"),
        ("```python\n1 / 0\n```\n", ZeroDivisionError, "Python that fails"),
        ("```shell\naef serve --nonsense\n```\n", SystemExit, "what is not run has no such option"),
        ("```shell\npython -m aef.experiments.nonsense\n```\n", AssertionError, "no such module"),
        ("```shell\nrm -rf x\n```\n", AssertionError, "a program that no page may name"),
    ],
)
def test_a_page_that_does_otherwise_than_it_says_is_told(
    page: str, error: type[BaseException], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error):
        run(blocks(page)[0], {})


def test_blocks_of_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = "Text.\n\n```{code-block} toml\n:caption: mine.toml\na = 1\n```\n\n"
    page += "```python\nprint( 'x',  2)\n```\n\n```text\nx ...\n```\n"
    monkeypatch.chdir(tmp_path)
    found = blocks(page)
    assert found == [
        Block("toml", "a = 1\n", 3, "mine.toml"),
        Block("python", "print( 'x',  2)\n", 8, output="x ...\n"),
    ]
    for block in found:
        run(block, {})
    assert (tmp_path / "mine.toml").read_text() == "a = 1\n"
    look_at(Block("shell", "aef edit ruling.docx\npip install '.[docs]'\n", 1))


# --- the site -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as built, the course's notebooks not run: `test_course` runs them."""
    pytest.importorskip("myst_nb")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-D", "nb_execution_mode=off", str(DOCS)]
    done = subprocess.run([*command, str(folder)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def pages(site: Path) -> dict[Path, html.HtmlElement]:
    return {path: html.parse(str(path)).getroot() for path in site.rglob("*.html") if "_static" not in path.parts}


@pytest.mark.slow
def test_every_link_inside_the_site_leads_somewhere(site: Path) -> None:
    known = pages(site)
    anchors = {path: {*tree.xpath("//@id"), *tree.xpath("//@name")} for path, tree in known.items()}
    dead = []
    for path, tree in known.items():
        for link in {*tree.xpath("//a/@href"), *tree.xpath("//img/@src")}:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            fragment = unquote(parts.fragment)
            if not target.exists() or (fragment and target in anchors and fragment not in anchors[target]):
                dead.append(f"{path.relative_to(site)}: {link}")
    assert dead == []


@pytest.mark.slow
def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    fetched = [
        f"{path.name}: {address}"
        for path, tree in pages(site).items()
        for address in tree.xpath("//script/@src | //link[@rel='stylesheet' or @rel='preload']/@href | //img/@src")
        if urlsplit(address).netloc
    ]
    styles = [
        path
        for path in site.rglob("*.css")
        if re.search(r"(?:url\(|@import )\s*[\"']?(?:https?:)?//", path.read_text())
    ]
    assert fetched == [] and styles == []


@pytest.mark.slow
def test_the_reference_has_every_command_feature_and_public_name(site: Path) -> None:
    generated = site / "reference" / "generated"
    for name in COMMANDS:
        assert f"<h1>aef {name}" in (generated / f"aef-{name}.html").read_text()
    listed = html.parse(str(generated / "features.html")).getroot()
    assert {title.text for title in listed.xpath("//h3")} == {*REGISTRY}
    for section in listed.xpath("//section[h3]"):
        told = section.text_content()
        assert ">>>" in told and re.search(r"Worth: (F2 [\d.]+ alone; |not measured)", told), section.get("id")
    known = set(html.parse(str(generated / "api.html")).getroot().xpath("//dt/@id"))
    assert {f"aef.{name}" for name in aef.__all__ if not name.startswith("_")} <= known


@pytest.mark.slow
def test_every_page_is_reached_from_the_first(site: Path) -> None:
    first = html.parse(str(site / "index.html")).getroot()
    listed = {link.partition("#")[0] for link in first.xpath("//aside[contains(@class, 'sidebar')]//a/@href")}
    written = {named(path).removesuffix(".md").removesuffix(".py") + ".html" for path in PAGES}
    assert written - listed == set()


@pytest.mark.slow
def test_a_notebook_is_shown_as_slides(site: Path, browser: Any) -> None:
    window = browser.new_page(viewport={"width": 1200, "height": 800})
    window.goto((site / "course" / "03_maximum_entropy.html").as_uri())
    window.click("button.present")
    seen = [window.inner_text("article section")]
    assert window.is_visible("h1") and not window.is_visible("h2") and not window.is_visible(".sidebar-drawer")
    count = int(re.findall(r"\d+", window.inner_text("button.present"))[1])
    for _ in range(count):  # the last stays where it is
        window.keyboard.press("ArrowRight")
        seen.append(window.inner_text("article section"))
    assert seen[-1] == seen[-2] and len({*seen}) == count >= 6
    window.keyboard.press("Escape")
    whole = window.inner_text("article section")
    window.close()
    assert all(text in whole for text in ("Maximum entropy", "Exercises", "1.", "3."))


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_fits_into_400_pixels_and_can_be_read(site: Path, browser: Any, scheme: Any) -> None:
    window = browser.new_page(viewport={"width": 400, "height": 800}, color_scheme=scheme)
    wrong = {}
    for path in pages(site):
        if "_modules" not in path.parts:  # the source, as it is written
            window.goto(path.as_uri())
            wrong[path.relative_to(site)] = window.evaluate(FAINT), window.evaluate(WIDER)
    window.close()
    assert len(wrong) > len(PAGES)
    assert {path: (faint, wider) for path, (faint, wider) in wrong.items() if faint or wider > 0} == {}
