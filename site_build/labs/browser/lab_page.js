// A lab's page: the reader acts, one worker computes, the result takes the static one's place.
//
// Other scripts may ask too: an event `lab:ask` on the article, with inputs as its detail, acts like a reader; an event
// `lab:settled` tells how a question ended, with the worker's reply as it came.
import { Comparison } from "./lab_compare.js";
import { canVerify, loadFile, loadJson } from "./lab_files.js";
import { playable } from "./lab_frames.js";
import { Inputs } from "./lab_inputs.js";
import { keep, purge } from "./lab_keep.js";
import { readReply } from "./lab_numbers.js";
import { Picture } from "./lab_picture.js";
import { atPath, laidOut, Printer } from "./lab_print.js";
import { inWords, resultNodes } from "./lab_result.js";
import { Runner } from "./lab_runner.js";
import { addressOf, asCsv, asFile, citation, download, valuesOf } from "./lab_share.js";
import { View } from "./lab_view.js";

const article = document.querySelector(".rl-lab[data-manifest]");

// a browser may refuse to keep anything; the lab runs all the same
const quietly = (work) => work.catch((fault) => console.info(`lab: ${fault.message}`));

class LabPage {
  constructor(folder, files, labs, language) {
    this.id = article.dataset.id;
    this.labs = labs;
    this.words = language.words;
    this.lab = language.labs[this.id];
    this.folder = folder;
    this.files = files;
    this.view = new View(article, this.words, this.size());
    this.helps = (id) => [...article.querySelectorAll(`[data-input="${id}"] dd > .rl-note`)].flatMap((note) => [" ", ...note.cloneNode(true).childNodes]);
    this.inputs = new Inputs(this.lab.inputs, this.helps);
    this.fixed = [[true, this.words.yes], [false, this.words.no], [null, "–"], ["", "–"]];
    this.comparison = new Comparison(this.view.result, this.words);
    this.static = [...this.view.result.children].slice(1);
    const drawn = this.static.find((part) => part.matches(".rl-lab__picture"));
    this.figure = drawn?.cloneNode(true);
    this.picture = drawn && new Picture(this.lab.picture, labs.charts, this.figure.querySelector(".rl-chart"), folder, files);
    this.runner = new Runner(() => this.startWorker(), (state) => this.show(state));
    this.reply = null;
    this.shown = null;
  }

  size() {
    const comesLater = (path) => (path === "charts.js" ? Boolean(this.lab.picture) : !/\.(js|json)$/.test(path));
    return Object.entries(this.files).reduce((sum, [path, file]) => sum + (comesLater(path) ? file.size : 0), 0);
  }

  async startWorker() {
    const name = "lab_worker.js";
    this.checked ||= Boolean(await loadFile(new URL(name, this.folder).href, this.files[name].sha256));
    const worker = new Worker(new URL(name, this.folder), { type: "module", name: "lab" });
    const { door, runtime } = this.labs;
    worker.postMessage({ kind: "boot", folder: this.folder, files: this.files, door, runtime });
    return worker;
  }

  start() {
    const { view } = this;
    view.put(this.inputs.elements);
    playable(view.result, this.lab.outputs, this.words);
    this.listen();
    if (!canVerify()) {
      view.say(this.words.insecure);
      view.form.querySelectorAll("button, input, select, textarea").forEach((part) => (part.disabled = true));
      return;
    }
    this.readAddress();
    article.dataset.ready = "";
    quietly(purge(this.folder));
  }

  listen() {
    const { form, buttons } = this.view;
    // a number that is being typed is not finished before the field says so
    const isSlider = (event) => event.target.type === "range";
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.act();
    });
    form.addEventListener("input", (event) => isSlider(event) && this.act());
    form.addEventListener("change", (event) => !isSlider(event) && this.act());
    buttons.stop.addEventListener("click", () => this.runner.stop());
    buttons.reset.addEventListener("click", () => this.reset());
    buttons.copy_link.addEventListener("click", () => this.copy(addressOf(this.lab.inputs, this.inputs.values)));
    buttons.copy_text.addEventListener("click", () => this.copy(this.cited()));
    buttons.save.addEventListener("click", () => download(`lab-${this.id}.json`, asFile(this.told()), "application/json"));
    buttons.save_csv.addEventListener("click", () => download(`lab-${this.id}.csv`, asCsv(this.told()), "text/csv"));
    buttons.keep.addEventListener("click", () => this.keepResult());
    addEventListener("hashchange", () => this.readAddress());
    article.addEventListener("lab:ask", (event) => {
      this.inputs.set(event.detail);
      this.act();
    });
  }

  // an address sets the inputs; nothing is loaded before the reader acts
  readAddress() {
    let text = "";
    try {
      const values = valuesOf(this.lab.inputs, location.hash);
      if (values === null) return;
      this.inputs.set(values);
      text = this.words.from_address;
    } catch {
      this.inputs.set({});
      text = this.words.bad_address;
    }
    this.view.heading.textContent = this.heading();
    this.view.say(text);
  }

  act() {
    if (!canVerify()) return;
    const notes = this.inputs.take(this.words);
    const asked = JSON.stringify(this.inputs.values);
    // the same question again while it is being answered: Enter both ends a field and runs
    if (this.busy && asked === this.asked) return;
    Object.assign(this, { notes, asked, busy: true });
    this.view.enable(true, this.reply !== null);
    this.picture?.load().catch(() => {});
    this.runner.ask(this.id, asked, Number(article.dataset.seconds));
  }

  // what the heading says of the result below it
  heading() {
    const same = JSON.stringify(this.inputs.values) === JSON.stringify(this.shown ?? this.defaults());
    if (this.shown === null) return same ? this.words.static_result : this.words.static_default;
    return same ? this.words.done : this.words.older;
  }

  defaults() {
    return Object.fromEntries(this.lab.inputs.map((spec) => [spec.id, spec.default]));
  }

  show(state) {
    if (state.state === "pending") return this.view.pending(state);
    this.busy = false;
    this.view.enable(false, this.reply !== null);
    if (state.state === "fulfilled") this.showReply(state);
    else this.showFault(state);
    const detail = { state: state.state, why: state.why ?? "", reply: state.reply ?? "" };
    article.dispatchEvent(new CustomEvent("lab:settled", { detail }));
  }

  showFault({ why, file = "", text = "", seconds = 0 }) {
    // what was kept may be what is wrong
    if (why === "refused_file") quietly(purge(this.folder, null));
    const reason = this.words[why] && file ? inWords(this.words[why], { file }) : text;
    const said = why === "stopped" || why === "limit" ? inWords(this.words[why], { seconds }) : inWords(this.words.failed, { why: reason });
    this.view.settled(why === "stopped" ? "stopped" : "failed", this.heading(), said);
  }

  showReply({ reply, inputs }) {
    const answer = readReply(reply);
    if (!answer.ok) {
      const { name, expected, got } = answer.error;
      const spec = this.lab.inputs.find((input) => input.id === name);
      this.view.settled("failed", this.heading(), inWords(this.words.refused_input, { name: spec?.words_name ?? name, expected, got }));
      return;
    }
    this.reply = reply;
    this.shown = JSON.parse(inputs);
    const laid = laidOut(this.lab.outputs, answer.result, (output) => new Printer(output, this.fixed));
    this.view.show([...this.drawn(reply), ...resultNodes(laid, this.words)]);
    playable(this.view.result, this.lab.outputs, this.words);
    this.print();
    this.view.enable(false, true);
    this.view.settled("done", this.heading(), [...this.notes, this.words.ready].join(" "));
    if (!this.kept) this.kept = quietly(keep(this.folder, this.files, (name) => this.runner.tell({ kind: "keep", name })));
  }

  // the picture of a reply, which fills itself; a picture that cannot be drawn is no reason to hide the numbers
  drawn(reply) {
    if (!this.picture) return [];
    this.picture.draw(reply).catch(({ message }) => this.figure.replaceChildren(inWords(this.words.not_drawn, { why: message })));
    return [this.figure];
  }

  // an input as it is printed
  lines(spec, value) {
    const printer = new Printer({ words: spec.choices }, this.fixed);
    const lines = printer.lines(readReply(JSON.stringify(value)));
    if (lines.length === 1 && spec.unit) lines[0] += `\u00a0${spec.unit}`;
    return lines;
  }

  // the list of inputs is what print shows
  print() {
    for (const spec of this.lab.inputs) {
      const lines = this.lines(spec, this.shown[spec.id]);
      const given = article.querySelector(`[data-input="${spec.id}"] .rl-lab__given`);
      given.replaceChildren(...lines.map((line) => Object.assign(document.createElement("span"), { textContent: line })));
    }
  }

  keepResult() {
    const values = this.shown ?? this.defaults();
    const lines = this.lab.inputs.map((spec) => `${spec.words_name}: ${this.lines(spec, values[spec.id]).join("; ")}`);
    this.comparison.keep([...this.view.result.children].slice(1), lines);
    this.view.say(this.words.was_kept);
  }

  reset() {
    this.runner.stop();
    this.runner.forget();
    this.busy = false;
    this.inputs.set({});
    this.reply = null;
    this.comparison.drop();
    this.shown = this.defaults();
    this.print();
    this.shown = null;
    this.view.show(this.static);
    this.view.enable(false);
    history.replaceState(null, "", location.pathname + location.search);
    this.view.settled("static", this.heading(), this.words.was_reset);
  }

  told() {
    const address = addressOf(this.lab.inputs, this.shown);
    return { labs: this.labs, id: this.id, lab: this.lab, words: this.words, values: this.shown, reply: this.reply, address };
  }

  cited() {
    const { result } = readReply(this.reply);
    const lines = this.lab.outputs.map((output) => {
      const text = new Printer(output, this.fixed).text(atPath(result, output.id));
      return `${output.words_name}: ${text}${output.unit ? ` ${output.unit}` : ""} (${output.label_word})`;
    });
    return citation({ ...this.told(), lines });
  }

  async copy(text) {
    const { box } = this.view;
    try {
      await navigator.clipboard.writeText(text);
      box.hidden = true;
      this.view.say(this.words.copied);
    } catch {
      box.value = text;
      box.hidden = false;
      box.select();
      this.view.say(this.words.not_copied);
    }
  }
}

const begin = async () => {
  const folder = new URL(article.dataset.folder, location.href).href;
  const { files } = await loadJson(`${folder}integrity.json`, article.dataset.manifest);
  const names = ["labs.json", `labs.${document.documentElement.lang.slice(0, 2)}.json`];
  const [labs, language] = await Promise.all(names.map((name) => loadJson(`${folder}${name}`, files[name].sha256)));
  new LabPage(folder, files, labs, language).start();
};

if (article) begin().catch((fault) => console.info(`lab: ${fault.message}; the results of the build stay`));
