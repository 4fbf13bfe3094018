// Steps that a reader can play: rows up to the present one are shown, and the present one is marked.
import { make } from "./lab_result.js";

const EVERY = 900;

class Player {
  #timer = 0;

  constructor(part, words) {
    this.words = words;
    this.box = part.querySelector(".rl-scroll");
    this.rows = [...part.querySelectorAll("tbody > tr")];
    this.now = null;
    const names = ["back", "play", "next", "all_steps"];
    this.buttons = Object.fromEntries(names.map((name) => [name, make("button", { type: "button" }, words[name])]));
    this.where = make("span", { "aria-live": "polite" });
    const { back, play, next, all_steps: all } = this.buttons;
    back.addEventListener("click", () => this.stop(this.now - 1));
    next.addEventListener("click", () => this.stop(this.now === null ? 0 : this.now + 1));
    play.addEventListener("click", () => (this.#timer ? this.stop(this.now) : this.play()));
    all.addEventListener("click", () => this.stop(null));
    part.insertBefore(make("div", { class: "rl-frames" }, ...Object.values(this.buttons), this.where), this.box);
    this.show(null);
  }

  play() {
    this.show(this.now === null || this.now === this.rows.length - 1 ? 0 : this.now);
    // a number that changes by itself need not be read out
    this.where.setAttribute("aria-live", "off");
    this.#timer = setInterval(() => this.forward(), EVERY);
    this.buttons.play.textContent = this.words.pause;
  }

  forward() {
    if (!this.box.isConnected || this.now >= this.rows.length - 1) this.stop(this.now);
    else this.show(this.now + 1);
  }

  stop(now) {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.where.setAttribute("aria-live", "polite");
    this.buttons.play.textContent = this.words.play;
    this.show(now);
  }

  // null shows every step
  show(now) {
    this.now = now;
    const last = this.rows.length - 1;
    for (const [index, row] of this.rows.entries()) {
      row.toggleAttribute("data-later", now !== null && index > now);
      if (index === now) row.setAttribute("aria-current", "step");
      else row.removeAttribute("aria-current");
    }
    this.buttons.back.disabled = now === null || now === 0;
    this.buttons.next.disabled = now === last;
    this.buttons.all_steps.disabled = now === null;
    this.where.textContent = now === null ? "" : `${now + 1} / ${last + 1}`;
    if (now !== null) this.follow(this.rows[now]);
  }

  // keep the present step in sight, inside its own box
  follow(row) {
    const below = row.offsetTop + row.offsetHeight - this.box.clientHeight;
    this.box.scrollTop = Math.min(Math.max(this.box.scrollTop, below), row.offsetTop);
  }
}

// give every output of steps its buttons; they come and go with the result
export const playable = (result, outputs, words) => {
  for (const { id } of outputs.filter((output) => output.type === "frames")) {
    const part = result.querySelector(`.rl-lab__part[data-output="${id}"]`);
    if (part && !part.querySelector(".rl-frames") && part.querySelectorAll("tbody > tr").length > 1) new Player(part, words);
  }
};
