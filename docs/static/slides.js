// Any notebook of the course as slides: what is said, with the cells below it, is one. Left and right turn, Esc ends.
"use strict";
addEventListener("DOMContentLoaded", () => {
  const article = document.querySelector("article");
  if (!article?.querySelector("div.cell")) return;
  const slides = [];
  for (const part of article.querySelectorAll("section > :not(section)")) {
    const last = slides.at(-1)?.at(-1);
    if (!last || part.matches("h2") || (!part.matches(".cell") && last.matches(".cell"))) slides.push([]);
    slides.at(-1).push(part);
  }
  const button = document.createElement("button");
  button.className = "present";
  article.prepend(button);
  let at = -1;

  function show(number) {
    at = Math.min(number, slides.length - 1);
    document.body.classList.toggle("slides", at >= 0);
    slides.forEach((parts, i) => parts.forEach(part => part.classList.toggle("away", at >= 0 && i !== at)));
    button.textContent = at < 0 ? "Show as slides" : `Slide ${at + 1} of ${slides.length}: arrow keys turn, Esc ends`;
    if (at >= 0) scrollTo(0, 0);
  }

  button.addEventListener("click", () => show(at + 1));
  addEventListener("keydown", event => {
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    if (["ArrowRight", "PageDown"].includes(event.key)) show(at + 1);
    else if (["ArrowLeft", "PageUp"].includes(event.key)) show(Math.max(0, at - 1));
    else if (event.key === "Escape") show(-1);
    else return;
    event.preventDefault();
  });
  show(-1);
});
