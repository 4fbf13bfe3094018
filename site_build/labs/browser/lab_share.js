// A lab's setting as an address, as a text to cite, and as files.
import { clamped, fits } from "./lab_inputs.js";
import { isNumber, readReply, Whole } from "./lab_numbers.js";
import { atPath } from "./lab_print.js";
import { inWords } from "./lab_result.js";

const MARK = "#with?";
const LONGEST = 20_000;

// only what differs from the defaults stands in the address
export const addressOf = (specs, values) => {
  const given = new URLSearchParams();
  for (const spec of specs) {
    const text = JSON.stringify(values[spec.id]);
    if (text !== JSON.stringify(spec.default)) given.set(spec.id, text);
  }
  const address = new URL(location.href);
  address.hash = String(given) ? `${MARK}${given}` : "";
  return address.href;
};

// the values of an address: null where it holds none, a fault where one is unknown, of another type or out of range
export const valuesOf = (specs, hash) => {
  if (!hash.startsWith(MARK)) return null;
  if (hash.length > LONGEST) throw new Error("too long");
  const known = new Map(specs.map((spec) => [spec.id, spec]));
  const values = {};
  for (const [id, text] of new URLSearchParams(hash.slice(MARK.length))) {
    const spec = known.get(id);
    const value = JSON.parse(text);
    const right = spec && fits(spec, value) && JSON.stringify(clamped(spec, value)) === JSON.stringify(value);
    if (!right || id in values) throw new Error(id);
    values[id] = value;
  }
  return values;
};

export const buildId = () => document.querySelector('meta[name="ledger-build"]')?.content ?? "";

const computedBy = (labs, words) =>
  inWords(words.cite_computed, {
    name: labs.numerics.name,
    version: labs.numerics.version,
    hash: labs.numerics.sha256.slice(0, 12),
    runtime: labs.runtime.version,
    build: buildId(),
  });

// a choice by its name
const said = ({ choices }, value) => choices?.find(([id]) => id === String(value))?.[1] ?? JSON.stringify(value);

// `lines` are the printed outputs
export const citation = ({ labs, lab, words, values, lines, address }) => {
  const given = lab.inputs.map((spec) => {
    const unit = spec.unit ? ` ${spec.unit}` : "";
    return `- ${spec.words_name}: ${said(spec, values[spec.id])}${unit}`;
  });
  return [
    lab.title,
    `${words.cite_inputs}:`,
    ...given,
    `${words.cite_outputs}:`,
    ...lines.map((line) => `- ${line}`),
    `${words.cite_exact}: ${lab.exact}`,
    `${words.cite_boundary}: ${lab.boundary}`,
    lab.locators.join(" · "),
    computedBy(labs, words),
    address,
  ].join("\n");
};

// the reply stands in the file as it came, so that every digit is the one Python wrote
export const asFile = ({ labs, id, lab, values, reply, address }) => {
  const about = {
    lab: id,
    title: lab.title,
    address,
    boundary: lab.boundary,
    build: buildId(),
    numerics: labs.numerics,
    runtime: labs.runtime.version,
    labels: Object.fromEntries(lab.outputs.map((output) => [output.id, output.label])),
    inputs: values,
  };
  return `${JSON.stringify(about, null, 1).slice(0, -2)},\n "reply": ${reply}\n}\n`;
};

// every single value with the path that leads to it
const leaves = (value, path = "") => {
  if (value === null || typeof value !== "object" || value instanceof Whole) return [[path, value]];
  return Object.entries(value).flatMap(([key, item]) => leaves(item, path ? `${path}.${key}` : key));
};

// a text that a spreadsheet would take for a formula stays a text
const inCell = (value) => {
  const text = value instanceof Whole ? `${value.value}` : String(value ?? "");
  const safe = !isNumber(value) && /^[=+\-@\t]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

// a line for each value; list places count from zero
export const asCsv = ({ labs, id, lab, values, reply, address }) => {
  const about = [["lab", id], ["title", lab.title], ["address", address], ["boundary", lab.boundary], ["build", buildId()],
    ["numerics", `${labs.numerics.name} ${labs.numerics.version}`], ["runtime", labs.runtime.version]];
  const rows = about.map(([name, value]) => ["about", name, "", value, "", ""]);
  const given = readReply(JSON.stringify(values));
  const { result } = readReply(reply);
  for (const { id: name, unit } of lab.inputs) {
    for (const [path, value] of leaves(given[name])) rows.push(["input", name, path, value, unit, ""]);
  }
  for (const { id: name, unit, label } of lab.outputs) {
    for (const [path, value] of leaves(atPath(result, name))) rows.push(["output", name, path, value, unit, label]);
  }
  const head = ["part", "name", "place", "value", "unit", "certainty"];
  return `${[head, ...rows].map((row) => row.map(inCell).join(",")).join("\r\n")}\r\n`;
};

export const download = (name, text, type) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};
