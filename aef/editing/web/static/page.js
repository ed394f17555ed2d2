// The page: what it knows, what keys do, and what it asks the server.
import { begins, drawText, el, foreseen, found, paragraph, paragraphAt, selected, show } from "./text.js";
import { KEY_OF, RIGHT, dialog, list, marking, onEnter, question, sheet, who } from "./panels.js";
import { count, languages, speak, t } from "./words.js";

const SHORT = 300; // milliseconds in which most rulings are decided
const $ = (id) => document.getElementById(id);
const now = { id: null, data: null, made: [], starts: [], later: new Set(), replies: [], asked: null, chosen: new Set(), originals: false, sort: "doubt", search: "", waiting: [], sending: null, here: {} };

async function ask(path, body) {
  const options = body instanceof FormData ? { method: "POST", body } : body ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {};
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Error(t("ended"));
  }
  const said = await answer.json().catch(() => ({ error: t("no-answer") }));
  if (!answer.ok) throw Object.assign(new Error(said.error ?? said.detail), { status: answer.status });
  return said;
}

function say(text, wrong = false) {
  $("message").textContent = text;
  $("message").classList.toggle("wrong", wrong);
}

// What is told waits for its turn, and is shown at once as far as it can be foreseen: `answered` are the ids of its
// questions, `places` what it hides or shows.
async function change(what, body = {}, { answered = [], shown = [] } = {}) {
  now.waiting.push({ what, body, answered, shown });
  foresee();
  drawQuestion();
  if (now.waiting.length > 1) return;
  now.sending = sendAll();
  await now.sending;
}

// Whether all that waited was taken.
async function sendAll() {
  let taken = true;
  while (now.waiting.length) taken = (await send(now.waiting[0])) && taken;
  return taken;
}

async function send({ what, body, shown }) {
  try {
    const { changed, ...answer } = await ask(`api/${now.id}/${what}`, { version: now.data.version, ...body });
    for (const [i, p] of Object.entries(changed)) now.data.paragraphs[i] = p;
    now.data = { ...answer, paragraphs: now.data.paragraphs };
    now.waiting.shift();
    draw([...new Set([...Object.keys(changed).map(Number), ...within(shown)])]);
    const size = Object.keys(changed).length;
    say(answer.unsaved ? t("unsaved", { why: answer.unsaved }) : size ? count("changed", size) : t("nothing-changed"), !!answer.unsaved);
    return true;
  } catch (error) {
    const lost = error.status === 422 ? [now.waiting.shift()] : now.waiting.splice(0);
    say(error.message, true);
    if (error.status === 409) await load(now.id);
    else draw(lost.flatMap((one) => within(one.shown)));
    return false;
  }
}

// The paragraphs that the places of what is foreseen are in.
const within = (shown) => shown.flatMap(([places]) => places.map((place) => paragraphAt(now.starts, place)));

function foresee() {
  const soon = new Map();
  for (const [places, hide] of now.waiting.flatMap((one) => one.shown)) {
    for (const place of places) {
      const i = paragraphAt(now.starts, place);
      soon.set(i, foreseen(soon.get(i) ?? now.data.paragraphs[i].pieces, [place], hide));
    }
  }
  const known = kinds();
  for (const [i, pieces] of soon) redraw(i, { ...now.data.paragraphs[i], pieces }, known);
}

// The ruling as it reads where it takes a while to decide it.
async function load(id) {
  Object.assign(now, { id, data: null, made: [] });
  const whole = ask(`api/${id}`);
  const text = ask(`api/${id}/text`).then(async (read) => { await new Promise((done) => setTimeout(done, SHORT)); return read; });
  const first = await Promise.race([whole, text.catch(() => whole)]);
  if (!first.people) {
    drawText($("text"), first.paragraphs, new Map(), true);
    $("question").replaceChildren(el("p", { class: "soft" }, t("deciding")));
  }
  now.data = await whole;
  now.starts = begins(now.data.paragraphs);
  now.chosen.clear();
  draw(null);
}

const kinds = () => new Map(now.data.people.map((p) => [p.id, p.kind]));
const person = (id) => now.data.people.find((p) => p.id === id);

// What is asked: not what was answered and waits.
function current() {
  const answered = new Set(now.waiting.flatMap((one) => one.answered));
  const open = now.data.lists.filter((q) => !(q.parts ?? [q]).some((part) => answered.has(part.id)));
  return open.find((q) => !now.later.has(q.id)) ?? open[0];
}

function draw(changed) {
  const { data } = now;
  document.title = $("name").textContent = data.name;
  $("text").dataset.version = data.version;
  const known = kinds();
  if (changed === null) now.made = drawText($("text"), data.paragraphs, known, now.originals);
  else for (const i of changed) redraw(i, data.paragraphs[i], known);
  foresee();
  drawQuestion();
  drawList();
  drawSure();
  $("undo").disabled = !data.undo;
  $("redo").disabled = !data.redo;
}

function redraw(i, shown, known) {
  const made = paragraph(shown, known, now.originals);
  now.made[i].replaceWith(made);
  now.made[i] = made;
}

// What is asked. The replies to a list begin anew with what is proposed whenever the ruling was decided anew.
function drawQuestion() {
  const asked = current();
  const key = `${asked?.id} ${now.data.version}`;
  if (now.asked !== key) Object.assign(now, { asked: key, replies: asked?.parts?.map(() => 0) ?? [] });
  $("question").replaceChildren(...question(asked, now.replies, now.data, { reply, right, turn: turnReply, later, look }));
}

function turnReply(i, steps = 1) {
  const focused = document.activeElement?.closest("#question li") !== null;
  now.replies[i] = (now.replies[i] + steps) % current().parts[i].replies.length;
  drawQuestion();
  if (focused) document.querySelectorAll("#question li button")[i].focus();
}

function right() {
  return answer(current().parts.map((part, i) => [part, part.replies[now.replies[i]]]));
}

function answer(given) {
  const facts = given.map(([part, chosen]) => part.facts[chosen]);
  const shown = facts.flatMap(({ kind, scope }, i) => {
    const all = given[i][0].places;
    return kind === "hide" || kind === "show" || kind === "leave" ? [[scope === "here" ? all.slice(0, 1) : all, kind === "hide"]] : [];
  });
  return change("tell", { facts }, { answered: given.map(([part]) => part.id), shown });
}

function drawList() {
  $("list").replaceChildren(...list(now.data.people, now, { choose, turn, more }));
  $("join").disabled = now.chosen.size !== 2;
}

// What the slider would change, counted from what is known of all questions.
function drawSure() {
  const sure = Number($("slider").value);
  const hide = now.data.chances.filter(([hidden, chance]) => !hidden && chance >= sure);
  const shown = now.data.chances.filter(([hidden, chance]) => hidden && chance < sure);
  const places = (which) => count("places", which.reduce((sum, [, , n]) => sum + n, 0));
  $("sure-count").textContent = t("sure-count", { sure, hide: hide.length, hideplaces: places(hide), show: shown.length, showplaces: places(shown) });
  $("sure-hide").disabled = !hide.length;
  $("sure-show").disabled = !shown.length;
}

const reply = (given) => current() && answer([[current(), given]]);
const tell = (fact) => change("tell", { facts: [fact] });
const settle = (given) => change("settle", { sure: Number($("slider").value), reply: given });

function later() {
  if (current()) now.later.add(current().id);
  draw([]);
}

const see = (place) => show($("text"), now.made[paragraphAt(now.starts, place)], place);

function look() {
  if (current()) see(current().places[0]);
}

function choose(id, on) {
  if (on) now.chosen.add(id);
  else now.chosen.delete(id);
  $("join").disabled = now.chosen.size !== 2;
}

const turn = ({ hidden, places }) => tell({ kind: hidden ? "show" : "hide", place: places[0] });

function join() {
  if (now.chosen.size !== 2) return say(t("choose-two"), true);
  const [one, other] = [...now.chosen].map((id) => person(id).places[0]);
  now.chosen.clear();
  return tell({ kind: "same", place: one, other });
}

const more = (whom, place = whom.places[0]) => who(whom, now.data.roles, place, { tell, turn, see });

function whoAsked() {
  const [x, y] = current()?.places[0] ?? [0, 0];
  const whom = now.data.people.find((p) => p.places.some(([a, b]) => a < y && x < b));
  if (whom) more(whom);
}

function mark() {
  const chosen = selected($("text"));
  const times = (words) => found(now.data.paragraphs, words);
  if (chosen) return marking(chosen.words, chosen.place, times(chosen.words).length || 1, now.data.people, tell);
  const input = el("input", { type: "text", "aria-label": t("mark-words"), autocomplete: "off", spellcheck: "false" });
  const go = () => {
    const words = input.value.trim();
    const places = times(words);
    if (places.length) marking(words, places[0], places.length, now.data.people, tell);
    else say(t("not-there"), true);
  };
  onEnter(input, () => { $("dialog").close(); go(); });
  dialog(t("mark"), [el("p", {}, t("mark-ask")), input], [[t("go-on"), go]]);
  return input.focus();
}

function lookAt([words, label, number]) {
  const go = () => {
    $("dialog").close();
    const there = now.made[number - 1];
    there.classList.add("here");
    there.scrollIntoView({ block: "center" });
  };
  const button = el("button", { type: "button", on: { click: go } }, t("paragraph", { n: number }));
  return el("li", {}, `${words} (${label || "?"}), `, button);
}

async function finish(force = false, review = false) {
  if (now.waiting.length) {
    say(t("deciding"));
    if (!(await now.sending)) return null;
  }
  say(t("checking"));
  try {
    const done = await ask(`api/${now.id}/finish`, { version: now.data.version, force, review });
    const wrong = done.left.map((place) => el("li", {}, place));
    const looks = done.look.map(lookAt);
    const body = done.written
      ? [el("p", {}, t(now.here.copies ? "written" : "given-back", { files: done.files.join(", ") })), el("p", {}, el("a", { href: `api/${now.id}/safe`, download: true }, t("download")))]
      : [el("p", {}, t("not-written")), el("ul", {}, ...wrong)];
    if (looks.length) body.push(el("p", {}, t("look-at")), el("ul", {}, ...looks));
    dialog(t(done.written ? "finished" : "finished-not"), body, []);
    say(`${t(done.written ? "finished" : "finished-not")}.`, !done.written);
  } catch (error) {
    say(error.message, true);
    if (error.status === 409) return load(now.id);
    if (/exists already/.test(error.message)) {
      dialog(t("exists"), [el("p", {}, error.message)], [[t("overwrite"), () => finish(true, review)]]);
    }
  }
  return null;
}

function askFinish() {
  dialog(t("finish"), [el("p", {}, t(now.here.copies ? "finish-ask" : "finish-ask-back"))], [
    [t(now.here.copies ? "write" : "give-back"), () => finish()],
    ...(now.here.copies && now.data.name.endsWith(".docx") ? [[t("with-review"), () => finish(false, true)]] : []),
  ]);
}

function originals() {
  now.originals = !now.originals;
  $("originals").setAttribute("aria-pressed", String(now.originals));
  draw(null);
}

const DOES = {
  u: () => change("undo"), r: () => change("redo"), o: originals, m: mark, j: join, f: askFinish, k: later, g: look, w: whoAsked,
  "?": sheet, "/": () => $("search").focus(),
};

// What a key does to the question: a reply, or of a list another reply to one (with Shift the one after it), and that
// all is right. A digit is known by its place: some keyboards have it with Shift alone.
function answers({ key, code, shiftKey }) {
  const asked = current();
  if (asked?.parts) {
    if (key === RIGHT) return right;
    const line = asked.parts.findIndex((part) => part.key === (/^Digit\d$/.test(code) ? code.at(-1) : key.toLowerCase()));
    return line < 0 ? null : () => turnReply(line, shiftKey ? 2 : 1);
  }
  const given = asked?.replies.find((r) => KEY_OF[r] === key);
  return given ? () => reply(given) : null;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !now.data || $("dialog").open) return;
  if (event.target.matches("input:not([type=checkbox], [type=range]), select, textarea")) return;
  const does = answers(event) ?? DOES[event.key];
  if (!does) return;
  event.preventDefault();
  does();
});
for (const [id, key] of [["undo", "u"], ["redo", "r"], ["originals", "o"], ["mark", "m"], ["keys", "?"], ["finish", "f"], ["join", "j"]]) {
  $(id).addEventListener("click", () => DOES[key]());
}
$("search").addEventListener("input", (e) => { now.search = e.target.value; drawList(); });
$("sort").addEventListener("change", (e) => { now.sort = e.target.value; drawList(); });
$("file").addEventListener("change", bring);
$("rulings").addEventListener("change", (e) => load(e.target.value).catch((error) => say(error.message, true)));
$("slider").addEventListener("input", drawSure);
$("sure-hide").addEventListener("click", () => settle("hide"));
$("sure-show").addEventListener("click", () => settle("show"));
$("language").addEventListener("change", async (e) => { await speak(e.target.value); if (now.data) draw(null); say(t(now.data ? "begin" : "none")); });
$("text").addEventListener("click", (e) => {
  const hit = e.target.closest("mark[data-entity]");
  const whom = hit && person(hit.dataset.entity);
  if (whom && !selected($("text"))) more(whom, [Number(hit.dataset.start), Number(hit.dataset.end)]);
});

// The rulings that are open, one of them chosen.
async function choice(wanted) {
  const rulings = await ask("api/rulings");
  $("choice").hidden = rulings.length < 2;
  $("rulings").replaceChildren(...rulings.map((r) => el("option", { value: r.id, selected: r.id === wanted }, r.name)));
  const id = (rulings.find((r) => r.id === wanted) ?? rulings[0])?.id;
  if (!id) return say(t("none"));
  say(t("opening"));
  await load(id);
  return say(t("begin"));
}

async function bring() {
  const [file] = $("file").files;
  if (!file) return;
  const form = new FormData();
  form.append("file", file);
  $("file").value = "";
  say(t("opening"));
  try {
    await choice((await ask("api/rulings", form)).id);
  } catch (error) {
    say(error.message, true);
  }
}

async function begin() {
  try {
    const chosen = await speak();
    $("language").replaceChildren(...Object.entries(languages()).map(([code, name]) => el("option", { value: code, selected: code === chosen }, name)));
    now.here = await ask("api/here");
    $("bring").hidden = !now.here.takes;
    await choice(location.hash.slice(1));
  } catch (error) {
    say(error.message, true);
  }
}
begin();
