// The question, the list of people and things, and the dialogs.
import { el } from "./text.js";
import { count, role, t } from "./words.js";

export const KEY_OF = { hide: "h", show: "s", thing: "t", here: "e", "not here": "n", "no name": "x", same: "h", different: "s" };

export const RIGHT = "y";
const HIDES = ["hide", "thing", "here"];
const NEAR = 25; // characters of its context that a line of a list has, on either side

// Whole words of it.
const end = (text) => (text.length > NEAR ? `…${text.slice(-NEAR).replace(/^\S*\s/, "")}` : text);
const beginning = (text) => (text.length > NEAR ? `${text.slice(0, NEAR).replace(/\s\S*$/, "")}…` : text);

const quoted = (names) => names.map((words) => t("quoted", { words })).join(", ");

function asks({ kind, names, role: taken, hidden, places }) {
  const times = count("times", places.length);
  if (kind === "pair") return [t("ask-pair", { one: names[0], other: names[1] }), ""];
  const title = t("ask", { names: quoted(names.slice(0, 4)) });
  if (kind === "word") return [title, t("about-word", { looks: t(`looks-${taken}`), times })];
  return [title, t(hidden ? "about-hidden" : "about-shown", { role: role(taken), times })];
}

// A list: each with its reply, which its digit or button changes to the next one; one key says that all is right.
function listed(asked, chosen, { left, expected }, { right, turn, later, look }) {
  const row = (part, i) => {
    const given = part.replies[chosen[i]];
    const name = quoted(part.names.slice(0, 4));
    const [[before, words, behind]] = part.contexts;
    const more = [part.names.length > 1 ? name : "", part.places.length > 1 ? count("times", part.places.length) : ""].filter(Boolean).join(", ");
    return el("li", {},
      el("button", { type: "button", "aria-label": `${t("reply-change")} ${part.key}: ${name}`, on: { click: () => turn(i) } }, el("kbd", {}, part.key)),
      el("span", { class: `badge${HIDES.includes(given) ? " hidden" : ""}` }, t(`reply-${given}`)),
      el("span", {}, end(before), el("strong", {}, words), beginning(behind), more ? el("span", { class: "soft" }, ` (${more})`) : null));
  };
  return [
    el("h3", {}, t(`list-${asked.about}`)),
    el("ol", { class: "listed" }, ...asked.parts.map(row)),
    el("p", { class: "soft", role: "status" }, t("list-how", { changed: chosen.filter((n) => n).length })),
    el("div", { class: "row below" },
      el("button", { type: "button", class: "main", on: { click: right } }, `${t("reply-right")} `, el("kbd", {}, RIGHT)),
      el("button", { type: "button", on: { click: later } }, `${t("later")} `, el("kbd", {}, "k")),
      el("button", { type: "button", on: { click: look } }, `${t("look")} `, el("kbd", {}, "g"))),
    el("p", { class: "soft" }, t("expected", { left, expected })),
  ];
}

export function question(asked, chosen, known, does) {
  if (!asked) return [el("p", { class: "soft" }, t("nothing-left"))];
  return asked.kind === "list" ? listed(asked, chosen, known, does) : alone(asked, known, does);
}

function alone(asked, { left, expected }, { reply, later, look }) {
  const [title, more] = asks(asked);
  const chance = asked.kind === "pair" ? "" : t("chance", { chance: Math.round(100 * asked.chance) });
  return [
    el("h3", {}, title),
    el("p", { class: "soft" }, `${more}${more ? chance : ""}`),
    ...asked.contexts.map(([before, words, behind]) => el("p", { class: "context" }, before, el("strong", {}, words), behind)),
    el("div", { class: "row" },
      ...asked.replies.map((r) => el("button", { type: "button", on: { click: () => reply(r) } }, `${t(`reply-${r}`)} `, el("kbd", {}, KEY_OF[r]))),
      el("button", { type: "button", on: { click: later } }, `${t("later")} `, el("kbd", {}, "k")),
      el("button", { type: "button", on: { click: look } }, `${t("look")} `, el("kbd", {}, "g"))),
    el("p", { class: "soft" }, t("expected", { left, expected })),
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
  const fits = (p) => [...p.names, p.label, p.role, role(p.role)].some((word) => word.toLowerCase().includes(wanted));
  return people.filter(fits).sort(ORDERS[sort]).map((person) => row(person, chosen, does));
}

function row(person, chosen, does) {
  const { id, label, names, kind, hidden, places } = person;
  const name = names[0];
  const thing = kind === "PERSON" ? "" : " thing";
  const check = el("input", { type: "checkbox", "aria-label": t("choose", { name }), on: { change: (e) => does.choose(id, e.target.checked) } });
  check.checked = chosen.has(id);
  return el("li", {}, check,
    el("div", { class: "who" },
      el("span", { class: `badge${hidden ? " hidden" + thing : ""}` }, hidden ? label || t("hidden") : t("shown")), " ", names.join(" · "),
      el("div", { class: "soft" }, `${role(person.role)}, ${places.length}×`)),
    el("div", { class: "row" },
      el("button", { type: "button", "aria-label": t(hidden ? "show-all" : "hide-all", { name }),
        on: { click: () => does.turn(person) } }, t(hidden ? "show" : "hide")),
      el("button", { type: "button", "aria-label": t("more-on", { name }), on: { click: () => does.more(person) } }, "…")));
}

export function dialog(title, body, buttons) {
  const box = document.getElementById("dialog");
  document.getElementById("dialog-title").textContent = title;
  document.getElementById("dialog-body").replaceChildren(...body);
  const close = () => box.close();
  const made = buttons.map(([text, does]) => el("button", { type: "button", on: { click: () => { close(); does(); } } }, text));
  document.getElementById("dialog-row").replaceChildren(...made, el("button", { type: "button", on: { click: close } }, t("close")));
  if (!box.open) box.showModal();
}

// Enter in a field does it; without preventDefault the button that gets the focus back would be pressed, too.
export const onEnter = (input, does) => input.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  does();
});

export const select = (label, options, chosen) => el("select", { "aria-label": label },
  ...options.map(([value, shown]) => el("option", { value, selected: value === chosen }, shown)));

// Who somebody is: why, the label, the role; what can be done with them.
export function who(person, roles, place, { tell, turn, see }) {
  const { names, places, hidden, label, maybe, why, called } = person;
  const first = places[0];
  const same = place[0] === first[0] && place[1] === first[1];
  const values = { names: names.join(" · "), role: role(person.role), times: count("times", places.length), label };
  const lines = [t(hidden ? "who-hidden" : "who-shown", values)];
  if (maybe.length) lines.push(t("may-be", { whom: maybe.join(` ${t("or")} `) }));
  lines.push(...(why.length ? why : [t("found-by")]));
  const close = (does) => () => { document.getElementById("dialog").close(); does(); };
  const input = el("input", { type: "text", "aria-label": t("label"), value: label, maxlength: 60, autocomplete: "off", spellcheck: "false" });
  const rename = close(() => tell({ kind: "call", place: first, value: input.value.trim() }));
  onEnter(input, rename);
  const known = roles.includes(person.role) ? roles : [person.role, ...roles];
  const choice = select(t("role"), known.map((name) => [name, role(name)]), person.role);
  const change = close(() => tell({ kind: "role", place: first, value: choice.value }));
  const line = (text, field, button, does, more = null) => el("p", { class: "row" }, el("label", {}, `${text} `, field),
    el("button", { type: "button", on: { click: does } }, button), more);
  const again = called ? el("button", { type: "button", on: { click: close(() => tell({ kind: "call", place: first })) } }, t("automatic")) : null;
  const buttons = [
    [t(hidden ? "show-everywhere" : "hide-everywhere"), () => turn(person)],
    [t(hidden ? "show-here" : "hide-here"), () => tell({ kind: hidden ? "show" : "hide", place, scope: "here" })],
    [t("no-name"), () => tell({ kind: "leave", place })],
    ...(same ? [] : [[t("somebody-else"), () => tell({ kind: "apart", place: first, other: place })]]),
    [t("look"), () => see(place)],
  ];
  const body = lines.map((text) => el("p", {}, text));
  if (hidden) body.push(line(t("label"), input, t("rename"), rename, again));
  body.push(line(t("role"), choice, t("change-role"), change));
  dialog(hidden ? label || t("hidden") : t("shown"), body, buttons);
}

const THINGS = ["ORG", "LOC", "DATETIME", "CODE", "DEM", "QUANTITY", "MISC"];

// Whose or what some words are, and where they are hidden.
export function marking(words, place, times, people, tell) {
  const whose = select(t("whose"), [["", t("new")], ...people.filter((p) => p.hidden).map((p) => [p.id, `${p.label}: ${p.names[0]}`])], "");
  const scope = select(t("where"), [["everywhere", t("everywhere")], ["here", t("only-here")]], "everywhere");
  const kind = select(t("kind"), THINGS.map((name) => [name, t(`kind-${name}`)]), "MISC");
  const fact = (type) => {
    const bearer = people.find((p) => p.id === whose.value);
    return tell({ kind: "hide", place, scope: scope.value, type: bearer ? bearer.kind || type : type, other: bearer ? bearer.places[0] : null });
  };
  dialog(t("mark-title", { words }), [
    el("p", { class: "soft" }, t("mark-times", { times: count("times", times) })),
    el("p", { class: "row" }, `${t("mark-whose")} `, whose, ` ${t("mark-where")} `, scope),
    el("p", { class: "row" }, el("label", {}, `${t("kind")} `, kind)),
  ], [
    [t("as-person"), () => fact("PERSON")],
    [t("as-thing"), () => fact(kind.value)],
  ]);
}

const KEYS = [
  ["h s t e n x", "key-answer"], ["1 … 9, a …, y", "key-list"], ["k", "key-later"], ["g", "key-look"], ["w", "key-who"], ["u, r", "key-undo"], ["o", "key-originals"],
  ["m", "key-mark"], ["j", "key-join"], ["f", "key-finish"], ["/", "key-search"], ["?", "key-keys"],
];

export function sheet() {
  const rows = KEYS.map(([key, does]) => el("tr", {}, el("td", {}, el("kbd", {}, key)), el("td", {}, t(does))));
  dialog(t("keys"), [el("table", {}, el("tbody", {}, ...rows)), el("p", { class: "soft" }, t("keys-more"))], []);
}
