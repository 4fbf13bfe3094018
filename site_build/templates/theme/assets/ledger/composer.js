// A composer: boxes to choose options with; the table keeps what is chosen. Without this script the whole table stands there.
for (const [number, table] of document.querySelectorAll("[data-composer]").entries()) {
  const tools = document.createElement("div");
  tools.className = "rl-composer__tools";
  const refresh = [];
  for (const [group, body] of [...table.tBodies].entries()) {
    const [head, ...rows] = body.rows;
    const several = "several" in body.dataset;
    const set = document.createElement("fieldset");
    const legend = document.createElement("legend");
    legend.textContent = head.textContent;
    set.append(legend);
    for (const [place, row] of rows.entries()) {
      const label = document.createElement("label");
      const box = document.createElement("input");
      box.type = several ? "checkbox" : "radio";
      box.name = `composer-${number}-${group}`;
      box.checked = several ? place < 2 : place === 0;
      label.append(box, ` ${row.cells[0].textContent}`);
      set.append(label);
      refresh.push((all) => (row.hidden = !all && !box.checked));
    }
    tools.append(set);
    refresh.push((all) => (head.hidden = !all && rows.every((row) => row.hidden)));
  }
  const show = (all = false) => refresh.forEach((one) => one(all));
  tools.addEventListener("change", () => show());
  table.parentElement.before(tools);
  table.parentElement.setAttribute("aria-live", "polite");
  addEventListener("beforeprint", () => show(true));
  addEventListener("afterprint", () => show());
  show();
}
