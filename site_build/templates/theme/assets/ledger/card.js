// What a number or a citation rests on, on hover, focus or a first tap: unit, exact form and grade, or a work and why to read it.
const card = Object.assign(document.createElement("div"), { className: "rl-card", id: "rl-card", hidden: true });
card.setAttribute("role", "tooltip");
document.body.append(card);
let owner = null;

const hide = () => {
  owner?.removeAttribute("aria-describedby");
  owner = null;
  card.hidden = true;
};

const show = (link) => {
  if (owner === link) return;
  hide();
  owner = link;
  card.replaceChildren(
    ...link.dataset.card.split(" · ").map((line) => Object.assign(document.createElement("span"), { textContent: line })),
  );
  card.hidden = false;
  link.setAttribute("aria-describedby", card.id);
  const box = link.getBoundingClientRect();
  const left = Math.max(8, Math.min(box.left, document.documentElement.clientWidth - card.offsetWidth - 8));
  card.style.left = `${left + scrollX}px`;
  card.style.top = `${box.bottom + scrollY + 6}px`;
};

for (const link of document.querySelectorAll("a.rl-value[title], a.rl-ref--cite[title]")) {
  link.dataset.card = link.title;
  link.removeAttribute("title");
  link.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && show(link));
  link.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && hide());
  link.addEventListener("focus", () => show(link));
  link.addEventListener("blur", hide);
  // on a touch screen the first tap shows the card, the second follows the link
  link.addEventListener("click", (event) => {
    if (event.pointerType === "touch" && !link.dataset.tapped) {
      event.preventDefault();
      link.dataset.tapped = "yes";
      show(link);
    }
  });
}
addEventListener("keydown", (event) => event.key === "Escape" && hide());
