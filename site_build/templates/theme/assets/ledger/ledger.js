// A claim's link copies its full address; where the clipboard is missing or refuses, it stays a plain link.
document.addEventListener("click", async (event) => {
  const link = event.target instanceof Element && event.target.closest("a[data-copy]");
  if (!link || !navigator.clipboard) return;
  event.preventDefault();
  try {
    await navigator.clipboard.writeText(link.href);
  } catch {
    location.assign(link.href);
    return;
  }
  // a claim shown on another page must not lend that page its address
  if (link.pathname === location.pathname) history.replaceState(null, "", link.href);
  link.dataset.copy = "done";
  setTimeout(() => (link.dataset.copy = ""), 2000);
});
