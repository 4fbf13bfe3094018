// What a lab's page shows beside its tables: the form, the buttons, the progress, what is said aloud.
import { inWords, make } from "./lab_result.js";

const SLOW = 300;
const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

export class View {
  #late = 0;

  constructor(article, words, size) {
    this.words = words;
    this.result = article.querySelector(".rl-lab__result");
    this.heading = this.result.querySelector("h2");
    this.inputs = article.querySelector(".rl-lab__inputs");
    this.buttons = {};
    this.lead = make("p", { class: "rl-note" }, inWords(words.lead, { size: megabytes(size) }));
    this.status = make("p", { class: "rl-live__status", role: "status" });
    this.bar = make("progress", { "aria-label": words.title, hidden: "" });
    this.box = make("textarea", { class: "rl-live__box", readonly: "", rows: 6, hidden: "", "aria-label": words.copy_text });
    this.form = make("form", { class: "rl-live", novalidate: "" });
  }

  // controls take the place of the list of defaults, which stays for print
  put(fields) {
    const names = ["run", "stop", "reset", "keep", "copy_link", "copy_text", "save", "save_csv"];
    for (const name of names) this.buttons[name] = make("button", { type: name === "run" ? "submit" : "button" }, this.words[name]);
    this.enable(false);
    const bar = make("div", { class: "rl-live__bar" }, ...Object.values(this.buttons));
    this.form.append(this.lead, ...fields, bar, this.bar, this.status, this.box);
    this.inputs.append(this.form);
    this.inputs.dataset.live = "";
  }

  enable(running, hasReply = false) {
    this.buttons.stop.disabled = !running;
    for (const name of ["copy_text", "save", "save_csv"]) this.buttons[name].disabled = !hasReply;
  }

  // said politely, and once
  say(text) {
    clearTimeout(this.#late);
    if (this.status.textContent !== text) this.status.textContent = text;
  }

  // what is over in a moment need not be said
  sayLate(text) {
    clearTimeout(this.#late);
    this.#late = setTimeout(() => this.say(text), SLOW);
  }

  pending({ phase, done = 0, all = 0 }) {
    this.result.dataset.state = "pending";
    this.result.setAttribute("aria-busy", "true");
    this.bar.hidden = phase === "running";
    if (phase !== "loading") this.bar.removeAttribute("value");
    else if (all) Object.assign(this.bar, { max: all, value: done });
    if (phase === "running") this.sayLate(this.words.running);
    else if (phase === "loading" && all) this.progress(done, all);
    else this.say(inWords(this.words[phase], { done: "0", all: megabytes(all) }));
  }

  // a quarter of the way is worth a word, a packet is not
  progress(done, all) {
    const quarter = Math.floor((4 * done) / all);
    if (quarter === this.quarter) return;
    this.quarter = quarter;
    this.say(inWords(this.words.loading, { done: megabytes(done), all: megabytes(all) }));
  }

  settled(state, heading, text) {
    this.result.dataset.state = state;
    this.result.removeAttribute("aria-busy");
    this.bar.hidden = true;
    this.quarter = null;
    this.heading.textContent = heading;
    this.say(text);
  }

  show(nodes) {
    for (const old of [...this.result.children]) if (old !== this.heading) old.remove();
    this.result.append(...nodes);
  }
}
