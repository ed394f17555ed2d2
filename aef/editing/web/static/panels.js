// The question, the list of people and things, and the dialogs.
import { el } from "./text.js";

export const REPLIES = {
  hide: ["h", "Hide"],
  show: ["s", "Show"],
  thing: ["t", "Hide as a thing"],
  here: ["e", "Hide only here"],
  "not here": ["n", "Show only here"],
  "no name": ["x", "No name at all"],
  same: ["h", "One person"],
  different: ["s", "Two people"],
};
const LOOKS = { code: "a number", date: "a date", initials: "initials", words: "these words", small: "this word", common: "a common word, asked about in this place alone" };

function asks({ kind, names, role, hidden, mentions }) {
  const times = mentions === 1 ? "once" : `${mentions} times`;
  if (kind === "pair") return [`Do “${names[0]}” and “${names[1]}” name one person?`, ""];
  if (kind === "word") return [`Hide “${names[0]}”?`, `${LOOKS[role] ?? "not found as a name"}; stands ${times}, and is shown now`];
  return [`Hide ${names.slice(0, 4).map((n) => `“${n}”`).join(", ")}?`,
    `taken for: ${role}; named ${times}, and ${hidden ? "hidden" : "shown"} now`];
}

export function question(asked, { left, expected }, { reply, later, look }) {
  if (!asked) return [el("p", { class: "soft" }, "Nothing is left to ask. Read once more, then finish.")];
  const [title, more] = asks(asked);
  const chance = asked.kind === "pair" ? "" : `; ${Math.round(100 * asked.chance)} in 100 like it must be hidden`;
  return [
    el("h3", {}, title),
    el("p", { class: "soft" }, `${more}${more ? chance : ""}`),
    ...asked.contexts.map(([before, words, behind]) => el("p", { class: "context" }, before, el("strong", {}, words), behind)),
    el("div", { class: "row" },
      ...asked.replies.map((r) => el("button", { type: "button", on: { click: () => reply(r) } },
        `${REPLIES[r][1]} `, el("kbd", {}, REPLIES[r][0]))),
      el("button", { type: "button", on: { click: later } }, "Later ", el("kbd", {}, "k")),
      el("button", { type: "button", on: { click: look } }, "See it in the text ", el("kbd", {}, "g"))),
    el("p", { class: "soft" }, `The most useful question comes first. Of the ${left} left, about ${expected} can be expected to change anything.`),
  ];
}

const ORDERS = {
  doubt: (a, b) => doubt(b) - doubt(a),
  place: (a, b) => a.places[0][0] - b.places[0][0],
  name: (a, b) => a.names[0].localeCompare(b.names[0]),
};

function doubt({ hidden, chance }) {
  return chance === null ? -1 : hidden ? 1 - chance : chance;
}

export function list(people, { search, sort, chosen }, does) {
  const wanted = search.toLowerCase();
  const fits = (p) => [...p.names, p.label, p.role].some((word) => word.toLowerCase().includes(wanted));
  return people.filter(fits).sort(ORDERS[sort]).map((person) => row(person, chosen, does));
}

function row(person, chosen, does) {
  const { id, label, names, role, kind, hidden, places } = person;
  const thing = kind === "PERSON" ? "" : " thing";
  const check = el("input", { type: "checkbox", "aria-label": `choose ${names[0]}`, on: { change: (e) => does.choose(id, e.target.checked) } });
  check.checked = chosen.has(id);
  return el("li", {}, check,
    el("div", { class: "who" },
      el("span", { class: `badge${hidden ? " hidden" + thing : ""}` }, hidden ? label || "hidden" : "shown"), " ", names.join(" · "),
      el("div", { class: "soft" }, `${role}, ${places.length}×`)),
    el("div", { class: "row" },
      el("button", { type: "button", "aria-label": `${hidden ? "show" : "hide"} ${names[0]} everywhere`,
        on: { click: () => does.turn(person) } }, hidden ? "Show" : "Hide"),
      el("button", { type: "button", "aria-label": `more on ${names[0]}`, on: { click: () => does.more(person) } }, "…")));
}

export function dialog(title, body, buttons) {
  const box = document.getElementById("dialog");
  document.getElementById("dialog-title").textContent = title;
  document.getElementById("dialog-body").replaceChildren(...body);
  const close = () => box.close();
  const made = buttons.map(([text, does]) => el("button", { type: "button", on: { click: () => { close(); does(); } } }, text));
  document.getElementById("dialog-row").replaceChildren(...made, el("button", { type: "button", on: { click: close } }, "Close"));
  if (!box.open) box.showModal();
}

const KEYS = [
  ["h s t e n x", "answer the question, as its buttons say"], ["k", "ask that later"], ["g", "see it in the text"],
  ["u, r", "undo, redo"], ["o", "originals beside the labels"], ["m", "mark words: the selected ones, or type them"],
  ["j", "the two that are chosen in the list are one person"], ["f", "finish"], ["/", "search people and things"], ["?", "this sheet"],
];

export function sheet() {
  const rows = KEYS.map(([key, does]) => el("tr", {}, el("td", {}, el("kbd", {}, key)), el("td", {}, does)));
  dialog("Keys", [el("table", {}, el("tbody", {}, ...rows)),
    el("p", { class: "soft" }, "Tab reaches everything else. Click a label for who it is, and why.")], []);
}
