// A lab's data as readers see it: a line where it is short, rows where it is not. The build prints by the same rules.
import { isNumber, plainNumber, printNumber, Whole } from "./lab_numbers.js";

const SHORT_LIST = 12;
const MOST_ROWS = 25;
const LONG_LIST = 5;

const isMapping = (value) =>
  value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof Whole);
const isNumeric = (list) => list.every((item) => (Array.isArray(item) ? isNumeric(item) : isNumber(item)));

const shortened = (list) =>
  list.length <= SHORT_LIST ? list : [...list.slice(0, SHORT_LIST - 2), "…", list[list.length - 1]];

// many rows by some at equal distances, the first and the last among them
export const thinned = (rows) => {
  const last = rows.length - 1;
  if (last < MOST_ROWS) return rows;
  const least = Math.ceil(last / (MOST_ROWS - 1));
  let step = least;
  while (step < 2 * least + 4 && last % step) step += 1;
  if (last % step) step = least;
  return [...rows.slice(0, last).filter((_, index) => index % step === 0), rows[last]];
};

export class Printer {
  // `named` are words of the contract, `fixed` yes and no, `keys` the order in which mappings are read
  constructor({ words = [], keys = [], display = null }, fixed) {
    this.words = new Map([...fixed, ...words]);
    this.order = new Map(keys.map((key, index) => [key, index]));
    this.display = display;
  }

  say(value) {
    return this.words.get(value) ?? null;
  }

  text(value) {
    if (value === null || typeof value === "boolean" || typeof value === "string") return this.say(value) ?? String(value);
    if (isNumber(value)) return printNumber(value, this.display);
    if (isMapping(value)) return this.entries(value).map(([key, item]) => `${this.key(key)}: ${this.text(item)}`).join("; ") || "–";
    return shortened(value).map((item) => (Array.isArray(item) ? `[${this.text(item)}]` : this.text(item))).join(", ") || "–";
  }

  // a single number without its format, where that loses digits
  full(value) {
    if (!isNumber(value) || !this.display) return "";
    const number = Number(value instanceof Whole ? value.value : value);
    return Number(plainNumber(value, this.display).replaceAll(",", "")) === number ? "" : printNumber(value, null);
  }

  entries(value) {
    const place = ([key]) => this.order.get(key) ?? this.order.size;
    return Object.entries(value).sort((one, other) => place(one) - place(other) || (one[0] < other[0] ? -1 : 1));
  }

  key(name) {
    return this.say(name) ?? name;
  }

  lines(value) {
    const nested = Array.isArray(value) && value.some((item) => Array.isArray(item) || isMapping(item));
    return nested ? value.map((item) => this.text(item)) : [this.text(value)];
  }

  cell(value) {
    if (isNumber(value)) return { lines: [this.text(value)], kind: "number" };
    return { lines: this.lines(value), kind: Array.isArray(value) && isNumeric(value) ? "numbers" : "text" };
  }

  // rows of records, of a mapping of records, of a matrix, of texts; null for anything else
  grid(value) {
    if (isMapping(value)) {
      const entries = this.entries(value);
      if (!entries.length || !entries.every(([, item]) => isMapping(item))) return null;
      const found = this.records(entries.map(([, item]) => item));
      return { ...found, rows: found.rows.map((row, index) => ({ ...row, name: this.key(entries[index][0]) })) };
    }
    if (!Array.isArray(value) || !value.length) return null;
    if (value.every(isMapping)) return this.records(value);
    if (value.every(Array.isArray)) {
      return { heads: [], rows: value.map((list) => ({ name: "", cells: list.map((item) => this.cell(item)) })) };
    }
    if (!value.every((item) => typeof item === "string")) return null;
    return { heads: [], rows: value.map((text, index) => ({ name: `${index + 1}`, cells: [{ lines: [text], kind: "text" }] })) };
  }

  records(items) {
    const keys = [...new Set(items.flatMap((item) => this.entries(item).map(([key]) => key)))];
    const cells = (item) => keys.map((key) => this.cell(item[key] ?? null));
    return { heads: keys.map((key) => this.key(key)), rows: items.map((item) => ({ name: "", cells: cells(item) })) };
  }
}

const longList = (output, value) =>
  output.type === "numbers" && Array.isArray(value) && value.length >= LONG_LIST ? value.length : 0;

const columns = (printers, lists) => {
  const rows = lists[0].map((_, index) => lists.map((list) => list[index]));
  const printed = thinned(rows).map((row) => row.map((item, index) => printers[index].cell(item)));
  const of = printed.length < rows.length ? rows.length : 0;
  return { heads: [], rows: printed.map(([name, ...cells]) => ({ name: name.lines[0], cells })), of };
};

// a name below a list reads it from every entry
const below = (part, name) => {
  if (Array.isArray(part) && !/^\d+$/.test(name)) return part.map((entry) => below(entry, name));
  return part?.[name] ?? null;
};

export const atPath = (result, path) => path.split(".").reduce(below, result);

// outputs that fit in a line, and parts with rows: one output, or neighbouring lists of one length side by side
export const laidOut = (outputs, result, printerOf) => {
  const items = outputs.map((output) => ({ output, value: atPath(result, output.id), printer: printerOf(output) }));
  const plain = [];
  const parts = [];
  for (let at = 0; at < items.length; ) {
    const length = longList(items[at].output, items[at].value);
    let end = at + 1;
    while (end < items.length && longList(items[end].output, items[end].value) === length) end += 1;
    const run = items.slice(at, end);
    at = end;
    if (length && run.length > 1) {
      const grid = columns(run.map((item) => item.printer), run.map((item) => item.value));
      parts.push({ outputs: run.map((item) => item.output), grid, joined: true });
      continue;
    }
    for (const { output, value, printer } of run) {
      const grid = printer.grid(value);
      if (grid) parts.push({ outputs: [output], grid, joined: false });
      else plain.push({ output, text: printer.text(value), full: printer.full(value) });
    }
  }
  return { plain, parts };
};
