"""What is asked of a page in a real browser, as expressions of JavaScript."""

from __future__ import annotations

WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
"""By how many pixels a page is wider than its window."""

FAINT = """() => {
  const parts = colour => colour.match(/[\\d.]+/g).map(Number);
  const light = colour => parts(colour).slice(0, 3).map(c => c / 255)
    .map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
  const behind = element => {
    for (let e = element; e; e = e.parentElement) {
      const colour = getComputedStyle(e).backgroundColor, alpha = parts(colour)[3];
      if (alpha === undefined || alpha === 1) return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  const faint = new Set(), nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) {
    const element = nodes.currentNode.parentElement;
    if (!nodes.currentNode.data.trim() || !element.checkVisibility()) continue;
    if (element.closest('option, script, style')) continue;
    const [a, b] = [getComputedStyle(element).color, behind(element)].map(light);
    const contrast = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (contrast < 4.5) faint.add(`${element.tagName}.${element.className}: ${contrast.toFixed(1)}`);
  }
  return [...faint];
}"""
"""The kinds of elements whose text has less than the contrast 4.5 of WCAG 2.2 (1.4.3) to what is behind it."""

UNNAMED = """() => [...document.querySelectorAll('button, input, select, img, a[href]')].filter(element =>
  !(element.getAttribute('aria-label') || element.closest('label') || element.alt ||
    /[a-z0-9]/i.test(element.textContent))).map(element => element.outerHTML.slice(0, 80))"""
"""What can be used or seen and has no name that a screen reader could say."""
