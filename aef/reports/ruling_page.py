"""What pages with a ruling's text have in common: the look, the warning, and no script but their own."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from html import escape

_CONTROL = {*range(0x20), 0x7F, *range(0xD800, 0xE000)} - set(map(ord, "\t\n\r"))
_SHOWN = dict.fromkeys(_CONTROL, "\N{REPLACEMENT CHARACTER}")
"""What no page can show."""
SECRET = (
    "This page shows the rulings as they were before anonymization, with every name in clear. Keep it where the "
    "originals are kept, and pass it to nobody who may not read them."
)


def safe(text: str) -> str:
    """Escaped, with what no page can show replaced."""
    return escape(text.translate(_SHOWN))


HEAD = (
    "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'; "
    "script-src 'sha256-{}'\"><meta name=referrer content=no-referrer><meta name=robots content='noindex, nofollow'>"
)


def jump(name: str, steps: Iterable[tuple[int, str, str]], data: str = "") -> str:
    """Buttons that go back and on: each with -1 or 1, what it says, and its key."""
    buttons = (
        f"<button data-step={step}{data} aria-label='{said}' title='{said} ({key})'>{_SIGNS[step]}</button>"
        for step, said, key in steps
    )
    return f"<span class=jump>{name} {''.join(buttons)}</span>"


_SIGNS = {-1: "\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}", 1: "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"}


def digest(script: str) -> str:
    """The hash by which a page names the one script that may run in it."""
    return b64encode(sha256(script.encode()).digest()).decode()


CSS = """
html { scroll-padding-top: 6rem; } body { margin-top: 0; }
.bar { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .3rem 1rem; align-items: center;
  margin: 0 -1.2rem; padding: .5rem 1.2rem;
  background: var(--ground); border-bottom: 1px solid var(--line); font-size: .85rem; }
.bar label, .jump { white-space: nowrap; } .bar button { font: inherit; min-width: 1.8rem; }
.bar select, .bar input[type=search] { font: inherit; } #where { color: var(--soft); }
.flag { color: #fff; background: #8a1c1c; padding: 0 .5rem; border-radius: 2px; font-weight: 600; }
.secret { border-left: 4px solid #8a1c1c; background: light-dark(#fbefef, #351a1a);
  padding: .4rem 1rem; max-width: none; }
.tables { display: flex; flex-wrap: wrap; gap: 0 2.5rem; align-items: flex-start; }
.index { max-height: 24rem; overflow: auto; display: inline-block; max-width: 100%; }
.index thead th { position: sticky; top: 0; background: var(--ground); }
a { color: var(--link); }
.doc { content-visibility: auto; contain-intrinsic-size: auto 60rem;
  border-top: 2px solid var(--line); margin-top: 2rem; }
.doc h2 { margin: 1rem 0 .6rem; overflow-wrap: anywhere; } h2 .next { font-size: .85rem; font-weight: normal; }
.ruling p { white-space: pre-wrap; overflow-wrap: anywhere; max-width: 54rem; margin: .5rem 0; }
mark { color: inherit; background: none; border-radius: 2px; padding: 0 .1em; -webkit-print-color-adjust: exact;
  print-color-adjust: exact; }
.hit { background: light-dark(#cfe4f3, #1e3a5f); }
.miss { background: light-dark(#ffc9a3, #6b2f0b); border-bottom: 3px solid light-dark(#c44700, #ff9a5c);
  font-weight: 600; }
.wrong { background: light-dark(#ecdcf0, #45284a); border-bottom: 2px dotted light-dark(#8a3a8a, #d79be0); }
.no-hit .ruling .hit, .no-wrong .ruling .wrong, .no-miss .ruling .miss, .ruling .off { background: none; border: 0;
  font-weight: inherit; }
.no-miss .ruling .next, .off + .next { display: none; }
.ruling .next { text-decoration: none; padding: 0 .2em; user-select: none; }
.ruling .next::after { content: "\\203A"; font-weight: 700; }
mark:target, mark.here { outline: 3px solid var(--ink); }
.short .clean, .doc.away { display: none; }
@media print { .ruling .next { display: none; } .doc { content-visibility: visible; } .index { max-height: none; } }
"""
