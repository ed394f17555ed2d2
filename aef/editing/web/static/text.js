// The ruling as it reads: paragraphs of pieces, each a stretch of the original. Everything is put in as text.

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

function piece([start, end, original, replacement, entity], kinds, originals) {
  if (entity === null) return el("span", { "data-start": start, "data-end": end }, original);
  const data = { "data-start": start, "data-end": end, "data-entity": entity };
  if (replacement === "") return el("mark", { ...data, class: "shown", title: "found, and shown" }, original);
  const kind = kinds.get(entity) === "PERSON" ? "" : "thing";
  const inside = originals ? [el("del", {}, original), " ", el("ins", {}, replacement)] : [el("ins", {}, replacement)];
  return el("mark", { ...data, class: kind, title: original }, ...inside);
}

export function paragraph({ part, pieces }, kinds, originals) {
  return el("p", { class: part }, ...pieces.map((given) => piece(given, kinds, originals)));
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

// The first place of words in the originals of the paragraphs.
export function found(paragraphs, words) {
  for (const { pieces } of paragraphs) {
    if (!pieces.length) continue;
    const whole = pieces.map((p) => p[2]).join("");
    const at = words ? whole.indexOf(words) : -1;
    if (at >= 0) {
      const start = pieces[0][0] + Array.from(whole.slice(0, at)).length;
      return [start, start + Array.from(words).length];
    }
  }
  return null;
}

export function show(root, [start, end]) {
  root.querySelectorAll(".here").forEach((old) => old.classList.remove("here"));
  const spans = [...root.querySelectorAll("[data-start]")];
  const there = spans.filter((s) => Number(s.dataset.start) < end && start < Number(s.dataset.end));
  there.filter((s) => s.tagName === "MARK").forEach((s) => s.classList.add("here"));
  if (there.length) there[0].scrollIntoView({ block: "center" });
}
