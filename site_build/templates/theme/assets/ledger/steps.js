// A process in steps: one step at a time, with buttons. Without this script all steps stand one below the other.
const words = document.documentElement.lang.startsWith("zh") ? ["上一步", "下一步", "全部"] : ["Back", "Next", "All"];

const walk = (list) => {
  const steps = [...list.children];
  let now = 0;
  const bar = document.createElement("div");
  bar.className = "rl-steps__bar";
  const [back, next, all] = words.map((word) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = word;
    bar.append(button);
    return button;
  });
  const where = document.createElement("span");
  where.setAttribute("aria-live", "polite");
  bar.append(where);
  const show = () => {
    for (const [index, step] of steps.entries()) step.hidden = index !== now;
    where.textContent = `${now + 1} / ${steps.length}`;
    back.disabled = now === 0;
    next.disabled = now === steps.length - 1;
  };
  const go = (by) => {
    now = Math.min(steps.length - 1, Math.max(0, now + by));
    show();
  };
  back.addEventListener("click", () => go(-1));
  next.addEventListener("click", () => go(1));
  all.addEventListener("click", () => {
    for (const step of steps) step.hidden = false;
    // who came by keyboard goes on from the first step, not from the top of the page
    list.tabIndex = -1;
    list.focus();
    bar.remove();
  });
  list.before(bar);
  addEventListener("beforeprint", () => steps.forEach((step) => (step.hidden = false)));
  addEventListener("afterprint", () => bar.isConnected && show());
  show();
};

for (const list of document.querySelectorAll("[data-steps]")) walk(list);
