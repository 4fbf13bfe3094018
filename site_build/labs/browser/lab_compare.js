// A finished result stays beside the next one, so that two settings can be compared.
import { make } from "./lab_result.js";

const REFERENCES = ["id", "aria-labelledby"];

// a copy that may stand on the same page: ids of its own, and no controls
const copyOf = (nodes) => {
  const copies = nodes.map((node) => node.cloneNode(true));
  const holder = make("div", {}, ...copies);
  for (const bar of holder.querySelectorAll(".rl-frames")) bar.remove();
  for (const part of holder.querySelectorAll("[data-later]")) delete part.dataset.later;
  for (const name of REFERENCES) {
    for (const part of holder.querySelectorAll(`[${name}]:not(svg *)`)) part.setAttribute(name, `kept-${part.getAttribute(name)}`);
  }
  return copies;
};

export class Comparison {
  // `beside` is the result that comes next to what is kept
  constructor(beside, words) {
    this.beside = beside;
    this.words = words;
    this.section = null;
  }

  // keep what is shown now; `lines` say for which inputs it is
  keep(nodes, lines) {
    this.drop();
    const heading = make("h2", { tabindex: "-1" }, this.words.kept);
    const drop = make("button", { type: "button" }, this.words.drop);
    const given = make("ul", { class: "rl-live__given" }, ...lines.map((line) => make("li", {}, line)));
    this.section = make("section", { class: "rl-lab__kept" }, heading, drop, given, ...copyOf(nodes));
    drop.addEventListener("click", () => this.drop());
    this.beside.after(this.section);
    this.beside.parentElement.dataset.compare = "";
  }

  drop() {
    this.section?.remove();
    this.section = null;
    delete this.beside.parentElement.dataset.compare;
  }
}
