// Filters of an index: choices hide entries; a heading without entries hides too. Without this script everything is listed.
const form = document.querySelector("form[data-filter]");

const apply = () => {
  const wanted = [...new FormData(form)].filter(([, value]) => value);
  let shown = 0;
  for (const section of form.parentElement.querySelectorAll("section:has(> .rl-entries)")) {
    let left = 0;
    for (const entry of section.querySelectorAll(".rl-entries > li")) {
      entry.hidden = !wanted.every(([name, value]) => (entry.dataset[name] ?? "").split(" ").includes(value));
      left += entry.hidden ? 0 : 1;
    }
    section.hidden = left === 0;
    shown += left;
  }
  form.querySelector("output").textContent = String(shown);
};

if (form) {
  form.hidden = false;
  form.addEventListener("change", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  apply();
}
