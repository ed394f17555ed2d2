// The state of the service, asked for every five seconds.
const $ = (id) => document.getElementById(id);
let draining = false;

function el(tag, text = "", ...children) {
  const made = document.createElement(tag);
  made.textContent = text;
  made.append(...children);
  return made;
}

function table(title, rows) {
  const body = Object.entries(rows).map(([name, value]) => el("tr", "", el("td", name), el("td", String(value))));
  return [el("h3", title), el("table", "", ...(body.length ? body : [el("tr", "", el("td", "none"))]))];
}

function draw(now) {
  draining = now.status === "draining";
  $("drain").setAttribute("aria-pressed", String(draining));
  $("drain").textContent = draining ? "Open again" : "Drain";
  const head = { status: now.status, ...now.modules, "workers ready": `${now.workers.ready} of ${now.workers.of}` };
  head["longest wait, in seconds"] = now.oldest;
  head["running for, in hours"] = (now.since / 3600).toFixed(1);
  $("text").replaceChildren(
    ...table("Service", head), ...table("Rulings", now.states), ...table("Ended in the last 24 hours", now.ended),
    ...table("Why they failed", now.reasons), ...table("Versions", now.versions));
}

async function ask(path, options) {
  try {
    const answer = await fetch(path, options);
    if (answer.redirected || answer.status === 401) location.assign("/enter/");
    else if (!answer.ok) throw new Error();
    else draw(await answer.json());
    $("message").textContent = "";
  } catch {
    $("message").textContent = "The service, or its database, does not answer.";
  }
}

$("drain").addEventListener("click", () => ask("drain", { method: "POST", body: String(!draining) }));
setInterval(() => ask("figures"), 5000);
ask("figures");
