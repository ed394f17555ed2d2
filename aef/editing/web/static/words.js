// The words of the page, by language: data, and never a word of a ruling.
const LANGUAGES = { en: "English", fr: "Français", es: "Español" };
let words = {};
let plural = new Intl.PluralRules("en");

export async function speak(language) {
  const [code] = [language, ...navigator.languages].map((l) => (l ?? "").slice(0, 2)).filter((l) => l in LANGUAGES);
  const known = code ?? "en";
  words = await (await fetch(`words-${known}.json`)).json();
  plural = new Intl.PluralRules(known);
  document.documentElement.lang = known;
  for (const shown of document.querySelectorAll("[data-t]")) shown.textContent = t(shown.dataset.t);
  for (const shown of document.querySelectorAll("[data-t-label]")) shown.setAttribute("aria-label", t(shown.dataset.tLabel));
  return known;
}

export const languages = () => LANGUAGES;

export function t(key, values = {}) {
  return (words[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

// "once", "3 times": by the language's rules.
export function count(key, n) {
  return t(`${key}-${plural.select(n)}` in words ? `${key}-${plural.select(n)}` : `${key}-other`, { n });
}

export const role = (name) => words[`role-${name}`] ?? name;
