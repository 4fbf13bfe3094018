// A result in the same tables as the static one.

export const make = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(key, value);
  made.append(...children);
  return made;
};

// a sentence with its facts
export const inWords = (template, facts) => template.replace(/\{(\w+)\}/g, (whole, name) => facts[name] ?? whole);

// names come from the build as finished HTML, formulas among them
export const named = ({ name }) => {
  const holder = document.createElement("template");
  holder.innerHTML = name;
  return [...holder.content.childNodes];
};

const certainty = (output) => make("span", { class: "rl-certainty", "data-label": output.label }, output.label_word);

const head = (output) => {
  const unit = output.unit ? [" ", make("span", { class: "rl-note" }, `(${output.unit})`)] : [];
  return [...named(output), ...unit, " ", certainty(output)];
};

const region = (attributes, table) => make("div", { class: "rl-scroll", tabindex: "0", role: "group", ...attributes }, table);

const inFull = (full) => (full ? [" ", make("span", { class: "rl-note rl-lab__full" }, full)] : []);

const plainTable = (plain, words) => {
  const titles = [words.output, words.value, words.certainty].map((word) => make("th", { scope: "col" }, word));
  const rows = plain.map(({ output, text, full }) =>
    make("tr", { "data-output": output.id },
      make("th", { scope: "row" }, ...named(output)),
      make("td", { class: "rl-lab__value" }, output.unit ? `${text}\u00a0${output.unit}` : text, ...inFull(full)),
      make("td", {}, certainty(output))));
  const table = make("table", { class: "rl-table" }, make("thead", {}, make("tr", {}, ...titles)), make("tbody", {}, ...rows));
  return region({ "aria-label": `${words.output}: ${words.done}` }, table);
};

const CELLS = { number: "rl-number", numbers: "rl-lab__numbers", text: "rl-lab__text" };

const row = ({ name, cells }, isNamed) => {
  const made = make("tr", {}, ...(isNamed ? [make("th", { scope: "row" }, name)] : []));
  for (const { kind, lines } of cells) made.append(make("td", { class: CELLS[kind] }, ...lines.map((line) => make("span", {}, line))));
  return made;
};

const isNumberColumn = (rows, column) =>
  rows.filter((item) => item.cells[column].kind === "number").length * 2 > rows.length;

const headLine = ({ outputs, grid, joined }, isNamed) => {
  const right = (is) => (is ? "rl-number" : null);
  if (joined) {
    return outputs.map((output, index) =>
      make("th", { scope: "col", class: right(index > 0), "data-output": output.id }, ...head(output)));
  }
  const heads = grid.heads.map((name, column) => make("th", { scope: "col", class: right(isNumberColumn(grid.rows, column)) }, name));
  return isNamed && heads.length ? [make("td"), ...heads] : heads;
};

const gridPart = (part, id, words) => {
  const isNamed = part.grid.rows.some((item) => item.name);
  const heads = headLine(part, isNamed);
  const table = make("table", { class: "rl-table rl-lab__grid" });
  if (heads.length) table.append(make("thead", {}, make("tr", {}, ...heads)));
  table.append(make("tbody", {}, ...part.grid.rows.map((item) => row(item, isNamed))));
  const label = part.joined ? { "aria-label": part.outputs.map((output) => output.words_name).join(", ") } : { "aria-labelledby": id };
  const rows = region({ ...label, class: "rl-scroll rl-lab__rows" }, table);
  const made = make("div", { class: "rl-lab__part", "data-output": part.joined ? null : part.outputs[0].id });
  if (!part.joined) made.append(make("p", { class: "rl-lab__caption", id }, ...head(part.outputs[0])));
  made.append(rows);
  if (part.grid.of) made.append(make("p", { class: "rl-note" }, inWords(words.lab_rows, { shown: part.grid.rows.length, all: part.grid.of })));
  return made;
};

export const resultNodes = ({ plain, parts }, words) => [
  ...(plain.length ? [plainTable(plain, words)] : []),
  ...parts.map((part, index) => gridPart(part, `result-${index + 1}`, words)),
];
