// A claim's link copies its full address; without a clipboard it stays a plain link.
document.addEventListener("click", async (event) => {
  const link = event.target instanceof Element && event.target.closest("a[data-copy]");
  if (!link || !navigator.clipboard) return;
  event.preventDefault();
  await navigator.clipboard.writeText(link.href);
  history.replaceState(null, "", link.href);
  link.dataset.copy = "done";
  setTimeout(() => (link.dataset.copy = ""), 2000);
});
