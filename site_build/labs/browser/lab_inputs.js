// Native, labelled controls made from the contract's inputs. What they give is typed and inside its limits.
import { inWords, make, named } from "./lab_result.js";

const isListOf = (is) => (value) => Array.isArray(value) && value.every(is);
const isFinite = (value) => Number.isFinite(value);
const FITS = {
  number: isFinite,
  integer: (value) => Number.isInteger(value),
  text: (value) => typeof value === "string",
  numbers: isListOf(isFinite),
  matrix: isListOf(isListOf(isFinite)),
  data: (value) => value !== null && value !== undefined,
};
const IN_JSON = ["numbers", "matrix", "data"];

// whether a value is of the input's type; its limits are another question
export const fits = (spec, value) =>
  spec.type === "choice" ? spec.choices.some(([id]) => id === String(value)) : FITS[spec.type](value);

const nearest = (spec, number) => Math.min(spec.maximum ?? Infinity, Math.max(spec.minimum ?? -Infinity, number));

export const clamped = (spec, value) => {
  if (Array.isArray(value) && IN_JSON.includes(spec.type)) return value.map((item) => clamped(spec, item));
  return typeof value === "number" ? nearest(spec, value) : value;
};

const written = (spec, value) => {
  if (!IN_JSON.includes(spec.type)) return String(value);
  const rows = Array.isArray(value) && value.some((item) => item !== null && typeof item === "object");
  return rows ? `[\n${value.map((item) => `  ${JSON.stringify(item)}`).join(",\n")}\n]` : JSON.stringify(value);
};

const read = (spec, text) => {
  if (spec.type === "text") return text;
  if (spec.type === "choice") return typeof spec.default === "number" ? Number(text) : text;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const numeric = (spec) => ({
  min: spec.minimum ?? null,
  max: spec.maximum ?? null,
  step: spec.step ?? (spec.type === "integer" ? 1 : "any"),
});

const control = (spec, id, described) => {
  const common = { id, name: spec.id, autocomplete: "off", "aria-describedby": described };
  if (spec.type === "choice") {
    return make("select", common, ...spec.choices.map(([value, name]) => make("option", { value }, name)));
  }
  if (spec.type === "text") return make("input", { ...common, type: "text" });
  if (IN_JSON.includes(spec.type)) {
    const rows = Math.min(8, written(spec, spec.default).split("\n").length);
    return make("textarea", { ...common, rows, spellcheck: "false" });
  }
  return make("input", { ...common, type: "number", inputmode: spec.type === "integer" ? "numeric" : "decimal", ...numeric(spec) });
};

const sliderOf = (spec) => {
  const known = ["number", "integer"].includes(spec.type) && spec.minimum !== undefined && spec.maximum !== undefined;
  return known ? make("input", { type: "range", "aria-label": spec.words_name, ...numeric(spec) }) : null;
};

class Field {
  constructor(spec, help) {
    this.spec = spec;
    this.control = control(spec, `input-${spec.id}`, `help-${spec.id}`);
    this.slider = sliderOf(spec);
    const unit = spec.unit ? ` (${spec.unit})` : "";
    const label = make("label", { for: `input-${spec.id}` }, ...named(spec), unit);
    const note = make("span", { id: `help-${spec.id}`, class: "rl-note" }, ...help);
    this.element = make("div", { class: "rl-live__field" }, label, this.control, ...(this.slider ? [this.slider] : []), note);
    this.slider?.addEventListener("input", () => (this.control.value = this.slider.value));
    this.set(spec.default);
  }

  set(value) {
    this.value = value;
    this.control.value = written(this.spec, value);
    if (this.slider) this.slider.value = value;
  }

  // the value, and what had to be said about it
  take(words) {
    const { spec } = this;
    const got = this.control.value;
    const value = read(spec, got);
    const facts = { name: spec.words_name, got: got.slice(0, 40), low: spec.minimum ?? "", high: spec.maximum ?? "" };
    if (!fits(spec, value)) {
      this.set(this.value);
      return inWords(words.unreadable, { ...facts, used: written(spec, this.value).slice(0, 60) });
    }
    const used = clamped(spec, value);
    const same = JSON.stringify(used) === JSON.stringify(value);
    this.value = used;
    if (this.slider) this.slider.value = used;
    if (same) return "";
    this.set(used);
    return inWords(words.clamped, { ...facts, used: written(spec, used).slice(0, 60) });
  }
}

export class Inputs {
  // `helps` are the notes of the static page, by input
  constructor(specs, helps) {
    this.fields = specs.map((spec) => new Field(spec, helps(spec.id)));
  }

  get elements() {
    return this.fields.map((field) => field.element);
  }

  get values() {
    return Object.fromEntries(this.fields.map((field) => [field.spec.id, field.value]));
  }

  // read every control; returns what had to be said
  take(words) {
    return this.fields.map((field) => field.take(words)).filter(Boolean);
  }

  set(values) {
    for (const field of this.fields) field.set(values[field.spec.id] ?? field.spec.default);
  }
}
