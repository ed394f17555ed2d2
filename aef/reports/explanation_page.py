"""A page of HTML that shows a tagged text, and for each of its tokens the predicates that decided.

As the error report, it is one file that loads nothing and can send nothing: it holds the original.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise

import numpy as np

from aef.corpus_tools.document import Document, Mention
from aef.evaluation.explanation import REASONS, TokenExplanation, mention_of_tokens
from aef.reports.page import page
from aef.reports.ruling_page import CSS as COMMON
from aef.reports.ruling_page import HEAD, SECRET, digest, jump, safe

EDGES = (0.2, 0.4, 0.6, 0.8)
"""Probabilities between the five colours of mentions."""


Said = tuple[bool, Sequence[str]]
"""Whether a token is hidden in the end, and what is said of that, a line each."""


def explanation_page(
    tagged: Document,
    explained: Sequence[TokenExplanation],
    source: str,
    first: int = -1,
    said: Mapping[int, Said] | None = None,
) -> str:
    """The page. ``explained``: the tokens that can be clicked; ``first``: the one of them that is shown at first.

    ``source`` says what was tagged and how. ``said``: by token, what was decided in the end, where others than the
    model decide, too; tokens explained by no model have the empty name in place of its own.
    """
    numbers = {e.token: number for number, e in enumerate(explained)}
    found = f"{len(tagged.mentions)} mention{'s' if len(tagged.mentions) != 1 else ''}"
    body = (
        f"{_bar()}<div class=sides><main><h1>{safe(tagged.doc_id)}: why it was tagged so</h1>"
        f"<p class=secret><b>Confidential.</b> {SECRET}</p><p>{safe(source)}; {found}. Point at a word to see what "
        "speaks for hiding it and what against; click to keep it.</p>\n"
        f"<div class=ruling>{_text(tagged, numbers)}</div></main>"
        f"<aside id=why aria-label='why' aria-live=polite data-first={numbers.get(first, -1)}></aside></div>"
        f"<script type='application/json' id=data>{_data(explained, numbers, said or {})}</script>\n"
    )
    head = HEAD.format(digest(SCRIPT))
    return page(f"{tagged.doc_id}: explanation (confidential)", body, COMMON + CSS, SCRIPT, head)


def _bar() -> str:
    bounds = [0.0, *EDGES, 1.0]
    legend = "".join(
        f"<mark class=p{i}>{low:.1f} to {high:.1f}</mark> " for i, (low, high) in enumerate(pairwise(bounds))
    )
    return (
        f"<nav class=bar><span class=flag>Confidential</span><span>hidden with probability {legend}</span>"
        "<mark class='p2 again'>by consistency</mark>"
        f"{jump('mention', [(-1, 'previous mention', 'p'), (1, 'next mention', 'n')])}"
        "<span class=keys>← → word by word</span></nav>"
    )


# --- the text -------------------------------------------------------------------------------------------------------


def _text(tagged: Document, numbers: Mapping[int, int]) -> str:
    """The whole text, a paragraph an element; no character is left out."""
    bounds = sorted({0, *(block.start for block in tagged.blocks)})
    edges = np.searchsorted(tagged.tokens.starts, [*bounds, len(tagged.text)]).tolist()
    owners = mention_of_tokens(tagged)
    parts = []
    for number, (start, end) in enumerate(zip(bounds, [*bounds[1:], len(tagged.text)], strict=True)):
        inner = _runs(tagged, range(edges[number], edges[number + 1]), start, end, owners, numbers)
        parts.append(f"<p>{''.join(inner)}</p>")
    return "".join(parts)


def _runs(
    tagged: Document, tokens: range, at: int, end: int, owners: Mapping[int, Mention], numbers: Mapping[int, int]
) -> Iterator[str]:
    """The characters from ``at`` to ``end``: what is between tokens, tokens, and mentions around them."""
    starts, ends = tagged.tokens.starts, tagged.tokens.ends
    for _, run in groupby(tokens, lambda token: id(owners.get(token))):
        inside = list(run)
        yield safe(tagged.text[at : starts[inside[0]]])
        pieces, at = [], int(starts[inside[0]])
        for token in inside:
            pieces.append(safe(tagged.text[at : starts[token]]))
            pieces.append(_token(tagged.text[starts[token] : ends[token]], numbers.get(token)))
            at = int(ends[token])
        mention = owners.get(inside[0])
        yield _mark(mention, "".join(pieces)) if mention else "".join(pieces)
    yield safe(tagged.text[at:end])


def _token(text: str, number: int | None) -> str:
    return safe(text) if number is None else f"<i data-n={number}>{safe(text)}</i>"


def _mark(mention: Mention, inner: str) -> str:
    probability = mention.probability or 0.0
    again = mention.extra.get("by") == "consistency"
    said = f"{mention.entity_type or 'no type'}, {probability:.2f}{', by consistency' if again else ''}"
    colour = int(np.searchsorted(EDGES, probability, side="right"))
    return f"<mark class='p{colour}{' again' if again else ''}' title='{safe(said)}'>{inner}</mark>"


# --- what the script shows ------------------------------------------------------------------------------------------


def _data(explained: Sequence[TokenExplanation], numbers: Mapping[int, int], said: Mapping[int, Said]) -> str:
    """The explanations as JSON that can stand inside an element: predicates once, tokens by their numbers."""
    lookup: dict[int, int] = {}  # by identity: tokens share their predicates
    helps: dict[str, int] = {}
    predicates: list[list[object]] = []
    for predicate in (p for e in explained for p in e.predicates):
        if id(predicate) not in lookup:
            lookup[id(predicate)] = len(predicates)
            line = helps.setdefault(predicate.help, len(helps))
            predicates.append([predicate.feature, predicate.value, round(predicate.weight, 4), line])
    tokens = [
        {**_described(e, [lookup[id(p)] for p in e.predicates], numbers), **_decided(said.get(e.token))}
        for e in explained
    ]
    data = {"reasons": REASONS, "helps": list(helps), "predicates": predicates, "tokens": tokens}
    written = json.dumps(data, separators=(",", ":"))
    return written.replace("&", r"\u0026").replace("<", r"\u003c").replace(">", r"\u003e")


def _decided(said: Said | None) -> dict[str, object]:
    return {} if said is None else {"hidden": said[0], "said": list(said[1])}


def _described(e: TokenExplanation, predicates: list[int], numbers: Mapping[int, int]) -> dict[str, object]:
    repeats = [e.repeats.text, e.repeats.start, numbers.get(e.repeats.token, -1)] if e.repeats else None
    return {
        "at": [e.start, e.end],
        "p": round(e.probability, 4),
        "t": round(e.threshold, 4),
        "hidden": e.hidden,
        "found": e.hidden,
        "why": e.reason,
        "type": e.entity_type,
        "model": e.model,
        "repeats": repeats,
        "sum": round(e.log_odds, 4),
        "intercept": round(e.intercept, 4),
        "has": predicates,
        "around": None if e.neighbours is None else round(e.neighbours, 4),
        "unknown": list(e.unknown),
    }


CSS = """
body { max-width: 84rem; } .bar mark { padding: 0 .35em; white-space: nowrap; } .keys { color: var(--soft); }
.sides { display: grid; grid-template-columns: minmax(0, 1fr) minmax(20rem, 31rem); gap: 0 2.5rem; }
aside { position: sticky; top: 3.4rem; align-self: start; height: calc(100vh - 4rem); overflow-y: auto;
  border-left: 1px solid var(--line); padding-left: 1.2rem; font-size: .85rem; line-height: 1.35; }
aside h2 { margin: 1rem 0 .2rem; overflow-wrap: anywhere; } aside p { margin: .3rem 0; overflow-wrap: anywhere; }
aside button { font: inherit; color: var(--link); background: none; border: 0; padding: 0; cursor: pointer;
  text-decoration: underline; }
.p0 { background: light-dark(#edf5fb, #16242f); } .p1 { background: light-dark(#d5e8f5, #1b3345); }
.p2 { background: light-dark(#b7d8ee, #20445e); } .p3 { background: light-dark(#94c5e5, #255577); }
.p4 { background: light-dark(#6db0db, #286390); } .again { border-bottom: 2px dashed light-dark(#1f5f8b, #8fbcf2); }
i { font-style: normal; cursor: pointer; } i:hover { text-decoration: underline; }
i.shown { outline: 2px solid var(--ink); outline-offset: 1px; border-radius: 2px; }
.fact { display: grid; grid-template-columns: 1fr 3.6rem 9rem; gap: 0 .5rem; align-items: center; padding: .16rem 0;
  border-bottom: 1px solid var(--line); } .fact:hover { background: var(--panel); }
.fact b { font-weight: 600; overflow-wrap: anywhere; } .fact small { grid-column: 1 / -1; color: var(--soft); }
.fact .sign { text-align: right; font-variant-numeric: tabular-nums; }
.scale { position: relative; height: .8rem;
  background: linear-gradient(var(--rule), var(--rule)) 50% 0 / 1px 100% no-repeat; }
.scale span { position: absolute; top: 0; bottom: 0; } .for { left: 50%; background: #2b7bba; }
.against { right: 50%; background: #d1662b; } .total { border-top: 2px solid var(--rule); font-weight: 600; }
.heads { display: flex; justify-content: flex-end; gap: .9rem; color: var(--soft); margin-top: .6rem; }
.heads span::before { content: ""; display: inline-block; width: .7em; height: .7em; margin-right: .3em; }
.heads .f::before { background: #2b7bba; } .heads .a::before { background: #d1662b; }
@media (max-width: 60rem) { .sides { display: block; } main { padding-bottom: 42vh; } aside { position: fixed;
  top: auto; bottom: 0; left: 0; right: 0; height: 40vh; background: var(--ground); border: 0;
  border-top: 2px solid var(--rule);
  padding: 0 1rem; } }
@media print { aside { display: none; } .sides { display: block; } }
"""

SCRIPT = r"""
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const why = document.getElementById("why");
const words = new Map([...document.querySelectorAll("i[data-n]")].map(word => [Number(word.dataset.n), word]));
let kept = -1;

function add(parent, tag, text = "", name = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  if (name) made.className = name;
  parent.append(made);
  return made;
}

const signed = number => (number < 0 ? "−" : "+") + Math.abs(number).toFixed(2);

function fact(label, weight, most, help = "") {
  const row = add(why, "div", "", most ? "fact" : "fact total");
  add(row, "b", label);
  add(row, "span", signed(weight), "sign");
  if (!most) return;
  const bar = add(add(row, "span", "", "scale"), "span", "", weight < 0 ? "against" : "for");
  bar.style.width = 50 * Math.min(1, Math.abs(weight) / most) + "%";
  if (help) add(row, "small", help);
}

function decision(token) {
  for (const line of token.said ?? []) add(why, "p", line);
  if (!token.model) return;
  const found = token.said ? "The model finds it" : "Hidden", not = token.said ? "The model does not find it" : "Stays";
  add(why, "p", `${token.found ? found + (token.type ? " as " + token.type : "") : not}: ` +
    `${data.reasons[token.why]}.`);
  add(why, "p", `probability ${token.p.toFixed(3)}, threshold ${token.t.toFixed(3)}; at ${token.at.join("–")}` +
    (token.model === "outside" ? "; by the model for heads, tables and notes" : ""));
  if (!token.repeats) return;
  const [text, at, number] = token.repeats, line = add(why, "p", "repeats ");
  const link = add(line, number < 0 ? "span" : "button", `${text} at ${at}`);
  if (number >= 0) link.addEventListener("click", () => keep(number));
}

function show(number) {
  document.querySelector("i.shown")?.classList.remove("shown");
  why.replaceChildren();
  why.scrollTop = 0;
  if (!words.has(number)) {
    add(why, "p", "Point at a word of the text.");
    return;
  }
  words.get(number).classList.add("shown");
  const token = data.tokens[number], facts = token.has.map(i => data.predicates[i]);
  add(why, "h2", words.get(number).textContent);
  decision(token);
  if (!token.model) return;
  const heads = add(why, "p", "", "heads");
  add(heads, "span", "against", "a");
  add(heads, "span", "for hiding", "f");
  const most = Math.max(1, Math.abs(token.intercept), Math.abs(token.around ?? 0), ...facts.map(f => Math.abs(f[2])));
  fact("intercept", token.intercept, most, "What is assumed before any predicate.");
  for (const [feature, value, weight, help] of facts)
    fact(value ? `${feature} = ${value}` : feature, weight, most, data.helps[help]);
  if (token.around !== null) fact("neighbours", token.around, most, "What the rest of the sentence adds.");
  fact("sum: the log-odds", token.sum, 0);
  if (token.unknown.length) add(why, "p", "Without weight, unknown to the model: " + token.unknown.join(", "));
}

function keep(number) {
  kept = words.has(number) ? number : -1;
  show(kept);
  if (kept >= 0) words.get(kept).scrollIntoView({ block: "nearest" });
}

function step(direction) {
  const marks = [...document.querySelectorAll(".ruling mark")], here = words.get(kept);
  const order = direction > 0 ? marks : marks.reverse();
  const side = direction > 0 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING;
  const past = mark => here && !mark.contains(here) && here.compareDocumentPosition(mark) & side;
  const next = order.find(past) || order[0];
  const word = next && next.querySelector("i[data-n]");
  if (word) keep(Number(word.dataset.n));
}

const ruling = document.querySelector(".ruling");
const numberOf = event => Number(event.target.closest("i[data-n]")?.dataset.n ?? -1);
ruling.addEventListener("mouseover", event => { if (numberOf(event) >= 0) show(numberOf(event)); });
ruling.addEventListener("mouseleave", () => show(kept));
ruling.addEventListener("click", event => keep(numberOf(event) === kept ? -1 : numberOf(event)));
for (const button of document.querySelectorAll(".bar button"))
  button.addEventListener("click", () => step(Number(button.dataset.step)));
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "n" || event.key === "p") step(event.key === "n" ? 1 : -1);
  else if (event.key === "Escape") keep(-1);
  else if (event.key === "ArrowRight" && words.has(kept + 1)) keep(kept + 1);
  else if (event.key === "ArrowLeft" && words.has(kept - 1)) keep(kept - 1);
  else return;
  event.preventDefault();
});
keep(Number(why.dataset.first));
"""
