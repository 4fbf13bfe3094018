// The protocol auditor: two rows (and two contenders) side by side, dimension by dimension, with a verdict.
(() => {
  const holder = document.querySelector("#protocol-auditor .rl-auditor__tool");
  if (!holder) return;
  const data = JSON.parse(document.querySelector("#audit-data").textContent);
  const words = data.words;

  const element = (name, text, attributes = {}) => {
    const made = document.createElement(name);
    if (text) made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };

  const select = (label, options, chosen) => {
    const box = element("label", label);
    const list = element("select");
    for (const [id, name] of options) list.append(element("option", name, { value: id }));
    list.value = chosen;
    list.addEventListener("change", show);
    box.append(list);
    holder.append(box);
    return list;
  };

  const rows = Object.entries(data.rows).map(([id, row]) => [id, `${row.table} · ${row.name}`]);
  const contenders = Object.entries(data.contenders).map(([id, contender]) => [id, contender.name]);
  const pick = { row: [], contender: [] };
  const result = element("div", "", { "aria-live": "polite", class: "rl-auditor__result" });
  for (const side of [0, 1]) {
    const label = side === 0 ? words.pick : words.against;
    pick.row.push(select(label, rows, rows[Math.min(side, rows.length - 1)][0]));
    pick.contender.push(select(words.contender, contenders, contenders[0][0]));
  }

  // one dimension of two rows: equal settings have equal ids, and what is not stated can agree with nothing
  const compare = (first, second) => {
    if (!first || !second || !first.stated || !second.stated) return "silent";
    return first.id === second.id ? "agree" : "differ";
  };

  const line = (name, texts, state) => {
    const made = element("tr", "", { "data-state": state });
    made.append(element("th", name, { scope: "row" }));
    for (const text of [...texts, words[state]]) made.append(element("td", text));
    return made;
  };

  function show() {
    const chosen = pick.row.map((list) => data.rows[list.value]);
    const sides = pick.contender.map((list) => data.contenders[list.value]);
    const body = element("tbody");
    const states = {};
    for (const [dimension, name] of Object.entries(data.dimensions)) {
      const settings = chosen.map((row) => row.protocol[dimension]);
      states[name] = compare(...settings);
      body.append(line(name, settings.map((setting) => (setting ? setting.text : words.silent)), states[name]));
    }
    const setting = sides[0].setting === sides[1].setting ? "agree" : "differ";
    states[words.contender] = setting;
    body.append(line(words.contender, sides.map((side) => `${side.name}: ${side.setting}`), setting));
    const against = Object.entries(states).filter(([, state]) => state !== "agree");
    const verdict = against.length
      ? `${words.not_comparable}: ${against.map(([name, state]) => `${name} (${words[state]})`).join(", ")}`
      : words.comparable;
    const head = element("tr");
    head.append(element("td"));
    for (const [index, row] of chosen.entries()) {
      const score = row.scores[pick.contender[index].value];
      head.append(element("th", `${row.name}: ${score ?? "–"}`, { scope: "col" }));
    }
    head.append(element("td"));
    const table = element("table", "", { class: "rl-table" });
    table.append(head, body);
    const scroll = element("div", "", { class: "rl-scroll", tabindex: "0", role: "region", "aria-label": words.pick });
    scroll.append(table);
    result.replaceChildren(element("p", verdict, { class: "rl-verdict", "data-comparable": String(!against.length) }), scroll);
  }

  holder.append(result);
  holder.hidden = false;
  show();
})();
