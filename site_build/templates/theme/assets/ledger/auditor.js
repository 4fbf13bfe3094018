// The protocol auditor: two rows (and two contenders) side by side, dimension by dimension, with a verdict.
const holder = document.querySelector("#protocol-auditor .rl-auditor__tool");
const data = holder && JSON.parse(document.querySelector("#audit-data").textContent);
const pick = { row: [], contender: [] };

const element = (name, text, attributes = {}) => {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

const addSelect = (label, options, chosen) => {
  const box = element("label", label);
  const list = element("select");
  for (const [id, name] of options) list.append(element("option", name, { value: id }));
  list.value = chosen;
  box.append(list);
  holder.append(box);
  return list;
};

// one dimension of two rows: equal settings have equal ids, and what is not stated can agree with nothing
const compare = (first, second) => {
  if (!first?.stated || !second?.stated) return "silent";
  return first.id === second.id ? "agree" : "differ";
};

// on a phone the style sheet lays rows out as blocks, which would cost a table its roles
const cell = (name, text, role) => element(name, text, { role });

const addLine = (body, name, texts, state) => {
  const line = element("tr", "", { "data-state": state, role: "row" });
  line.append(cell("th", name, "rowheader"));
  for (const text of [...texts, data.words[state]]) line.append(cell("td", text, "cell"));
  body.append(line);
  return [name, state];
};

const addLines = (body, rows, sides) => {
  const states = Object.entries(data.dimensions).map(([dimension, name]) => {
    const settings = rows.map((row) => row.protocol[dimension]);
    return addLine(body, name, settings.map((setting) => setting?.text ?? data.words.silent), compare(...settings));
  });
  const same = sides[0].setting === sides[1].setting ? "agree" : "differ";
  return [...states, addLine(body, data.words.contender, sides.map((side) => `${side.name}: ${side.setting}`), same)];
};

const headLine = (rows) => {
  const head = element("tr", "", { role: "row" });
  const scores = rows.map((row, index) => row.scores[pick.contender[index].value] ?? "–");
  const heads = rows.map((row, index) => cell("th", `${row.name}: ${scores[index]}`, "columnheader"));
  head.append(cell("td", "", "cell"), ...heads, cell("td", "", "cell"));
  return head;
};

// the verdict, and the dimensions that stand against it
const verdictOf = (states) => {
  const against = { differ: data.words.differ_in, silent: data.words.silent_on };
  const reasons = Object.entries(against).flatMap(([wanted, words]) => {
    const names = states.filter(([, state]) => state === wanted).map(([name]) => name);
    return names.length ? [element("p", words.replace("{names}", names.join(data.words.comma)))] : [];
  });
  const said = reasons.length ? data.words.not_comparable : data.words.comparable;
  return [element("p", said, { class: "rl-verdict", "data-comparable": String(!reasons.length) }), ...reasons];
};

const show = (result) => {
  const rows = pick.row.map((list) => data.rows[list.value]);
  const body = element("tbody", "", { role: "rowgroup" });
  const states = addLines(body, rows, pick.contender.map((list) => data.contenders[list.value]));
  const table = element("table", "", { class: "rl-table", role: "table" });
  body.prepend(headLine(rows));
  table.append(body);
  const scroll = element("div", "", { class: "rl-scroll", tabindex: "0", role: "group", "aria-label": data.words.pick });
  scroll.append(table);
  result.replaceChildren(...verdictOf(states), scroll);
};

const start = () => {
  const rows = Object.entries(data.rows).map(([id, row]) => [id, `${row.table} · ${row.name}`]);
  const contenders = Object.entries(data.contenders).map(([id, contender]) => [id, contender.name]);
  for (const label of [data.words.pick, data.words.against]) {
    pick.row.push(addSelect(label, rows, rows[Math.min(pick.row.length, rows.length - 1)][0]));
    pick.contender.push(addSelect(data.words.contender, contenders, contenders[0][0]));
  }
  const result = element("div", "", { "aria-live": "polite", class: "rl-auditor__result" });
  holder.append(result);
  holder.addEventListener("change", () => show(result));
  holder.hidden = false;
  show(result);
};

if (data) start();
