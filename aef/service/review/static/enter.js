// Signing in: the key goes to the service alone, which gives a cookie that no script can read.
const WORDS = {
  en: ["Sign in", "Your API key", "This key is not valid, or may not open a page.", "The service does not answer.", "Sign in with the court's account", "This account may not open a page here."],
  fr: ["Se connecter", "Votre clé d'API", "Cette clé n'est pas valable, ou n'ouvre aucune page.", "Le service ne répond pas.", "Se connecter avec le compte du tribunal", "Ce compte ne peut ouvrir aucune page ici."],
  es: ["Entrar", "Su clave de API", "Esta clave no es válida o no abre ninguna página.", "El servicio no responde.", "Entrar con la cuenta del tribunal", "Esta cuenta no puede abrir ninguna página aquí."],
};
const $ = (id) => document.getElementById(id);
const code = navigator.languages.map((l) => l.slice(0, 2)).find((l) => l in WORDS) ?? "en";
const [enter, label, wrong, away, account, refused] = WORDS[code];
document.documentElement.lang = code;
$("title").textContent = $("go").textContent = enter;
$("label").textContent = label;
$("provider").textContent = account;
$("message").textContent = { "#away": away, "#refused": refused }[location.hash] ?? "";
fetch("ways").then((answer) => answer.json()).then((ways) => { $("other").hidden = !ways.provider; });

$("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ key: $("key").value }) };
  $("key").value = "";
  try {
    const answer = await fetch("./", options);
    if (answer.ok) location.assign(answer.url);
    else $("message").textContent = wrong;
  } catch {
    $("message").textContent = away;
  }
});
