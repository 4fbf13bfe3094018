// Citations of a claim in a dialog: they stand on a page of their own, which is fetched on first use and is also where
// the link leads without this script, or when the page cannot be had.
const zh = document.documentElement.lang.startsWith("zh");
const words = zh
  ? { close: "关闭", copy: "复制", copied: "已复制", select: "已选中，请按 Ctrl+C 或 ⌘C", form: "格式" }
  : { close: "Close", copy: "Copy", copied: "Copied", select: "Selected: press Ctrl+C or ⌘C", form: "Form" };

const made = (tag, text, more = {}) => Object.assign(document.createElement(tag), { textContent: text, ...more });

const copy = async (text, status) => {
  try {
    await navigator.clipboard.writeText(text.textContent);
    status.textContent = words.copied;
  } catch {
    getSelection().selectAllChildren(text);
    text.focus();
    status.textContent = words.select;
  }
};

const addCopy = (form) => {
  const status = made("span", "", { className: "rl-form__status" });
  status.setAttribute("role", "status");
  const button = made("button", words.copy, { type: "button" });
  const text = form.querySelector("pre");
  button.setAttribute("aria-label", `${words.copy}: ${form.querySelector(".rl-label").textContent}`);
  button.addEventListener("click", () => copy(text, status));
  const bar = made("p", "", { className: "rl-form__bar" });
  bar.append(button, status);
  form.append(bar);
};

const chooser = (forms, name) => {
  const select = document.createElement("select");
  for (const form of forms) select.append(made("option", form.querySelector(".rl-label").textContent));
  const show = () => forms.forEach((form, index) => (form.hidden = index !== select.selectedIndex));
  select.addEventListener("change", show);
  show();
  const label = made("label", `${name} `, { className: "rl-dialog__choice" });
  label.append(select);
  return label;
};

const dialogOf = (section) => {
  const dialog = made("dialog", "", { className: "rl-dialog md-typeset" });
  const withdrawn = section.querySelector(".rl-citing__stood");
  const forms = withdrawn ? [] : [...section.querySelectorAll(".rl-form")];
  const title = section.querySelector("h2");
  title.id = "rl-dialog-title";
  dialog.setAttribute("aria-labelledby", title.id);
  const close = made("button", words.close, { type: "button", className: "rl-dialog__close" });
  close.addEventListener("click", () => dialog.close());
  dialog.append(close, title, ...(withdrawn ? [withdrawn] : [chooser(forms, words.form)]), ...forms);
  dialog.append(section.querySelector(".rl-citing__card"));
  forms.forEach(addCopy);
  dialog.addEventListener("close", () => dialog.remove());
  // a click beside the dialog's box closes it
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  return dialog;
};

const pages = new Map();

const fetched = async (address) => {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return new DOMParser().parseFromString(await answer.text(), "text/html");
};

const open = async (link) => {
  const address = link.href.replace(/#.*/, "");
  if (!pages.has(address)) pages.set(address, fetched(address));
  const page = await pages.get(address);
  const section = document.importNode(page.getElementById(decodeURIComponent(link.hash.slice(1))), true);
  for (const inner of section.querySelectorAll("[href]")) inner.href = new URL(inner.getAttribute("href"), link.href);
  const dialog = dialogOf(section);
  document.body.append(dialog);
  dialog.showModal();
};

for (const form of document.querySelectorAll(".rl-citing .rl-form")) addCopy(form);
document.addEventListener("click", async (event) => {
  const link = event.target instanceof Element && event.target.closest("a[data-cite]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  try {
    await open(link);
  } catch {
    location.assign(link.href);
  }
});
