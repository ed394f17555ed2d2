// The ruling as it reads: paragraphs of pieces, each a stretch of the original. Everything is put in as text.
import { t } from "./words.js";

const SOON = "…";

export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "class") made.className = value;
    else if (key === "on") for (const [event, does] of Object.entries(value)) made.addEventListener(event, does);
    else if (value !== null && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

function piece([start, end, original, replacement, entity, style], kinds, originals) {
  const data = { "data-start": start, "data-end": end };
  if (entity === null) return el("span", { ...data, class: style }, original);
  data["data-entity"] = entity;
  if (replacement === "") return el("mark", { ...data, class: `shown ${style}`, title: t("found-shown") }, original);
  const kind = kinds.get(entity) === "PERSON" ? "" : "thing ";
  const inside = originals ? [el("del", {}, original), " ", el("ins", {}, replacement)] : [el("ins", {}, replacement)];
  return el("mark", { ...data, class: kind + style, title: original }, ...inside);
}

export function paragraph({ part, level, number, indent, align, pieces }, kinds, originals) {
  const classes = [part, align ?? "", indent ? `in-${indent}` : ""].filter(Boolean).join(" ");
  return el(level ? `h${Math.min(6, level + 2)}` : "p", { class: classes },
    number ? el("span", { class: "number" }, `${number} `) : null,
    ...pieces.map((given) => piece(given, kinds, originals)));
}

// The pieces as they will be when these places are hidden or shown; what their labels are is not known yet.
export function foreseen(pieces, places, hide) {
  const found = [];
  for (const [start, end, original, replacement, entity, style] of pieces) {
    const points = Array.from(original);
    const part = (low, high, ...as) => { if (low < high) found.push([low, high, points.slice(low - start, high - start).join(""), ...as, style]); };
    let at = start;
    for (const [a, b] of places.filter(([x, y]) => x < end && start < y)) {
      const whole = entity !== null;
      const [low, high] = whole ? [start, end] : [Math.max(at, a), Math.min(b, end)];
      part(at, low, replacement, entity);
      part(Math.max(at, low), high, hide ? replacement || SOON : "", entity ?? SOON);
      at = Math.max(at, high);
    }
    part(at, end, replacement, entity);
  }
  return found;
}

// Where the paragraphs begin that have words, each with its number.
export const begins = (paragraphs) => paragraphs.flatMap(({ pieces }, i) => (pieces.length ? [[pieces[0][0], i]] : []));

// The number of the paragraph that a place is in.
export function paragraphAt(starts, [place]) {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle][0] <= place) low = middle;
    else high = middle - 1;
  }
  return starts[low][1];
}

// Parts that do not stand in the running text, in the order in which the page has them; null: the text itself.
const REGIONS = ["header", null, "footnote", "endnote", "footer", "comment", "drawing", "attribute"];

// So many paragraphs are laid out together when they come into view: whether they do is asked of each group at every
// picture, and of thousands of single paragraphs that takes longer than the picture.
const TOGETHER = 40;
const HEIGHT = 3.5; // rem that a paragraph is taken to have before it is laid out

function grouped(elements) {
  const found = [];
  for (let i = 0; i < elements.length; i += TOGETHER) {
    const inside = elements.slice(i, i + TOGETHER);
    const group = el("div", { class: "group" }, ...inside);
    group.style.containIntrinsicSize = `auto ${HEIGHT * inside.length}rem`;
    found.push(group);
  }
  return found;
}

// All paragraphs on the page, tables as tables; the elements of the paragraphs by number.
export function drawText(root, paragraphs, kinds, originals) {
  const made = paragraphs.map((p) => paragraph(p, kinds, originals));
  const laid = paragraphs.some((p) => p.level || p.number || p.cell || p.align || p.pieces.some((given) => given[5]));
  root.classList.toggle("laid", laid);
  root.replaceChildren(...REGIONS.flatMap((region) => {
    const own = paragraphs.map((p, i) => i).filter((i) => (REGIONS.includes(paragraphs[i].part) ? paragraphs[i].part : null) === region);
    if (!own.length) return [];
    const inside = grouped(tabled(own, paragraphs, made));
    if (region === null) return inside;
    return [el("section", { class: "region", "aria-label": t(`part-${region}`) }, el("div", { class: "caption" }, t(`part-${region}`)), ...inside)];
  }));
  return made;
}

// The paragraphs, those of a table in its cells.
function tabled(numbers, paragraphs, made) {
  const found = [];
  let open = null;
  for (const i of numbers) {
    const cell = paragraphs[i].cell;
    if (!cell) {
      open = null;
      found.push(made[i]);
      continue;
    }
    const [table, row, column] = cell;
    if (open?.table !== table) {
      open = { table, row: -1, column: -1, body: el("tbody") };
      found.push(el("div", { class: "wide" }, el("table", {}, open.body)));
    }
    if (open.row !== row) {
      Object.assign(open, { row, column: -1, line: el("tr") });
      open.body.append(open.line);
    }
    while (open.column < column) {
      open.column += 1;
      open.line.append(el("td"));
    }
    open.line.lastElementChild.append(made[i]);
  }
  return found;
}

// The place in the ruling's text, in code points, of a point of the page; at an edge of what is hidden.
function offset(node, at, atEnd) {
  const inside = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
  const span = inside.closest("[data-start]");
  if (!span) return null;
  if (span.tagName === "MARK" || node.nodeType !== Node.TEXT_NODE) return Number(atEnd ? span.dataset.end : span.dataset.start);
  return Number(span.dataset.start) + Array.from(node.data.slice(0, at)).length;
}

// The selected words: [start, end] and what they are, or null.
export function selected(root) {
  const chosen = window.getSelection();
  if (!chosen || chosen.isCollapsed || !root.contains(chosen.anchorNode) || !root.contains(chosen.focusNode)) return null;
  const range = chosen.getRangeAt(0);
  const start = offset(range.startContainer, range.startOffset, false);
  const end = offset(range.endContainer, range.endOffset, true);
  return start !== null && end !== null && start < end ? trimmed(start, end, range.toString()) : null;
}

function trimmed(start, end, words) {
  const points = Array.from(words);
  if (points.length !== end - start) return { place: [start, end], words };
  const low = points.findIndex((c) => c.trim());
  if (low < 0) return null;
  const high = points.length - [...points].reverse().findIndex((c) => c.trim());
  return { place: [start + low, start + high], words: points.slice(low, high).join("") };
}

// The places of words in the originals of the paragraphs.
export function found(paragraphs, words) {
  const places = [];
  for (const { pieces } of paragraphs) {
    if (!words || !pieces.length) continue;
    const whole = pieces.map((p) => p[2]).join("");
    for (let at = whole.indexOf(words); at >= 0; at = whole.indexOf(words, at + words.length)) {
      const start = pieces[0][0] + Array.from(whole.slice(0, at)).length;
      places.push([start, start + Array.from(words).length]);
    }
  }
  return places;
}

export function show(root, paragraph, [start, end]) {
  root.querySelectorAll(".here").forEach((old) => old.classList.remove("here"));
  const spans = [...paragraph.querySelectorAll("[data-start]")];
  const there = spans.filter((s) => Number(s.dataset.start) < end && start < Number(s.dataset.end));
  there.filter((s) => s.tagName === "MARK").forEach((s) => s.classList.add("here"));
  if (there.length) there[0].scrollIntoView({ block: "center" });
}
