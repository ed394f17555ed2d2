// The page: what it knows, what keys do, and what it asks the server.
import { el, found, paragraph, selected, show } from "./text.js";
import { REPLIES, dialog, list, question, sheet } from "./panels.js";

const $ = (id) => document.getElementById(id);
const now = { id: null, data: null, later: new Set(), chosen: new Set(), originals: false, sort: "doubt", search: "", busy: false };

async function ask(path, body) {
  const options = body ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {};
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Error("aef edit has ended. Start it again in the terminal: your answers are saved.");
  }
  const said = await answer.json().catch(() => ({ error: "No answer came." }));
  if (!answer.ok) throw Object.assign(new Error(said.error), { status: answer.status });
  return said;
}

function say(text, wrong = false) {
  $("message").textContent = text;
  $("message").classList.toggle("wrong", wrong);
}

async function change(what, body = {}) {
  if (now.busy) return;
  now.busy = true;
  try {
    const answer = await ask(`/api/${now.id}/${what}`, { version: now.data.version, ...body });
    const paragraphs = now.data.paragraphs;
    for (const [i, changed] of Object.entries(answer.changed)) paragraphs[i] = changed;
    now.data = { ...answer, paragraphs };
    draw(Object.keys(answer.changed).map(Number));
    const size = Object.keys(answer.changed).length;
    const changes = size === 0 ? "Nothing changed" : size === 1 ? "One paragraph changed" : `${size} paragraphs changed`;
    say(answer.unsaved ? `Not saved: ${answer.unsaved}` : `${changes}; saved.`, !!answer.unsaved);
  } catch (error) {
    say(error.message, true);
    if (error.status === 409) await load(now.id);
  } finally {
    now.busy = false;
  }
}

async function load(id) {
  now.id = id;
  now.data = await ask(`/api/${id}`);
  now.chosen.clear();
  draw(null);
}

const kinds = () => new Map(now.data.people.map((p) => [p.id, p.kind]));
const person = (id) => now.data.people.find((p) => p.id === id);
const current = () => now.data.questions.find((q) => !now.later.has(q.id)) ?? now.data.questions[0];

function draw(changed) {
  const { data } = now;
  document.title = $("name").textContent = data.name;
  const known = kinds();
  if (changed === null) $("text").replaceChildren(...data.paragraphs.map((p) => paragraph(p, known, now.originals)));
  else changed.forEach((i) => $("text").children[i].replaceWith(paragraph(data.paragraphs[i], known, now.originals)));
  $("question").replaceChildren(...question(current(), data, { reply, later, look }));
  drawList();
  $("undo").disabled = !data.undo;
  $("redo").disabled = !data.redo;
}

function drawList() {
  $("list").replaceChildren(...list(now.data.people, now, { choose, turn, more }));
  $("join").disabled = now.chosen.size !== 2;
}

const reply = (given) => current() && change("answer", { question: current().id, reply: given });
const tell = (fact) => change("tell", { fact });

function later() {
  if (current()) now.later.add(current().id);
  draw([]);
}

function look() {
  if (current()) show($("text"), current().place);
}

function choose(id, on) {
  if (on) now.chosen.add(id);
  else now.chosen.delete(id);
  $("join").disabled = now.chosen.size !== 2;
}

const turn = ({ hidden, places }) => tell({ kind: hidden ? "show" : "hide", place: places[0] });

function join() {
  if (now.chosen.size !== 2) return say("Choose two in the list first.", true);
  const [one, other] = [...now.chosen].map((id) => person(id).places[0]);
  now.chosen.clear();
  return tell({ kind: "same", place: one, other });
}

function more(who, place = who.places[0]) {
  const first = who.places[0];
  const same = place[0] === first[0] && place[1] === first[1];
  const lines = [`${who.names.join(" · ")}: ${who.role}, named ${who.places.length}×, ${who.hidden ? `hidden as ${who.label}` : "shown"}`];
  if (who.maybe.length) lines.push(`may be ${who.maybe.join(" or ")}`);
  lines.push(...(who.why.length ? who.why : ["found by the model or a pattern"]));
  const buttons = [
    [who.hidden ? "Show everywhere" : "Hide everywhere", () => turn(who)],
    [who.hidden ? "Show only here" : "Hide only here", () => tell({ kind: who.hidden ? "show" : "hide", place, scope: "here" })],
    ["No name at all", () => tell({ kind: "leave", place })],
    ["See it in the text", () => show($("text"), place)],
  ];
  if (!same) buttons.splice(3, 0, ["Somebody else", () => tell({ kind: "apart", place: first, other: place })]);
  dialog(who.hidden ? who.label || "Hidden" : "Shown", lines.map((line) => el("p", {}, line)), buttons);
}

function mark() {
  const chosen = selected($("text"));
  if (chosen) return marking(chosen.place, chosen.words);
  const input = el("input", { type: "text", "aria-label": "words to hide, as they stand in the ruling", autocomplete: "off", spellcheck: "false" });
  const go = () => {
    const place = found(now.data.paragraphs, input.value.trim());
    if (place) marking(place, input.value.trim());
    else say("These words do not stand in the ruling just so.", true);
  };
  input.addEventListener("keydown", (e) => { if (e.key === "Enter") { $("dialog").close(); go(); } });
  dialog("Mark words", [el("p", {}, "Words to hide, as they stand in the ruling (or select them in the text first):"), input], [["Go on", go]]);
  return input.focus();
}

function marking(place, words) {
  const whose = el("select", { "aria-label": "whose words these are" }, el("option", { value: "" }, "somebody new"),
    ...now.data.people.filter((p) => p.hidden).map((p) => el("option", { value: p.id }, `${p.label}: ${p.names[0]}`)));
  const scope = el("select", { "aria-label": "where" }, el("option", { value: "everywhere" }, "everywhere"), el("option", { value: "here" }, "only here"));
  const fact = (more) => {
    const other = whose.value ? person(whose.value).places[0] : null;
    return tell({ kind: "hide", place, scope: scope.value, other, ...more });
  };
  dialog(`Hide “${words}”`, [el("p", {}, "These words are ", whose, ", and are hidden ", scope)], [
    ["Hide as a person", () => fact({ type: "PERSON" })],
    ["Hide as a thing", () => fact({ type: "MISC" })],
  ]);
}

function lookAt([words, label, paragraph]) {
  const go = () => {
    $("dialog").close();
    const there = $("text").children[paragraph - 1];
    there.classList.add("here");
    there.scrollIntoView({ block: "center" });
  };
  const button = el("button", { type: "button", on: { click: go } }, `paragraph ${paragraph}`);
  return el("li", {}, `${words} (${label || "?"}), `, button);
}

async function finish(force = false, review = false) {
  say("Checking and writing…");
  try {
    const done = await ask(`/api/${now.id}/finish`, { version: now.data.version, force, review });
    const wrong = done.left.map((place) => el("li", {}, place));
    const looks = done.look.map(lookAt);
    const body = done.written
      ? [el("p", {}, `Written: ${done.files.join(", ")}.`), el("p", {}, el("a", { href: `/api/${now.id}/safe`, download: true }, "Download the safe file"))]
      : [el("p", {}, "Nothing was written: a hidden name can still be read in"), el("ul", {}, ...wrong)];
    if (looks.length) body.push(el("p", {}, "Look at these: they may name somebody who is hidden."), el("ul", {}, ...looks));
    dialog(done.written ? "Finished" : "Not written", body, []);
    say(done.written ? "Finished." : "Not written.", !done.written);
  } catch (error) {
    say(error.message, true);
    if (error.status === 409) return load(now.id);
    if (/exists already/.test(error.message)) {
      dialog("A file of that name is there", [el("p", {}, error.message)], [["Write over it", () => finish(true, review)]]);
    }
  }
  return null;
}

function askFinish() {
  dialog("Finish", [el("p", {}, "The ruling is checked, and written as a safe file beside the original.")], [
    ["Write the safe file", () => finish()],
    ...(now.data.name.endsWith(".docx") ? [["With a review copy", () => finish(false, true)]] : []),
  ]);
}

function originals() {
  now.originals = !now.originals;
  $("originals").setAttribute("aria-pressed", String(now.originals));
  draw(null);
}

const DOES = {
  u: () => change("undo"), r: () => change("redo"), o: originals, m: mark, j: join, f: askFinish, k: later, g: look,
  "?": sheet, "/": () => $("search").focus(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !now.data || $("dialog").open) return;
  if (event.target.matches("input:not([type=checkbox]), select, textarea")) return;
  const given = current()?.replies.find((r) => REPLIES[r][0] === event.key);
  if (!given && !DOES[event.key]) return;
  event.preventDefault();
  if (given) reply(given);
  else DOES[event.key]();
});
for (const [id, key] of [["undo", "u"], ["redo", "r"], ["originals", "o"], ["mark", "m"], ["keys", "?"], ["finish", "f"], ["join", "j"]]) {
  $(id).addEventListener("click", () => DOES[key]());
}
$("search").addEventListener("input", (e) => { now.search = e.target.value; drawList(); });
$("sort").addEventListener("change", (e) => { now.sort = e.target.value; drawList(); });
$("text").addEventListener("click", (e) => {
  const hit = e.target.closest("mark[data-entity]");
  const who = hit && person(hit.dataset.entity);
  if (who && !selected($("text"))) more(who, [Number(hit.dataset.start), Number(hit.dataset.end)]);
});

async function begin() {
  try {
    const rulings = await ask("/api/rulings");
    $("choice").hidden = rulings.length < 2;
    $("rulings").replaceChildren(...rulings.map((r) => el("option", { value: r.id }, r.name)));
    $("rulings").addEventListener("change", (e) => load(e.target.value).catch((error) => say(error.message, true)));
    await load(rulings[0].id);
    say("h, s, … answer the question; ? shows all keys.");
  } catch (error) {
    say(error.message, true);
  }
}
begin();
