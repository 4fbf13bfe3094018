// Only in a preview: load the page again when the build it came from is no longer the newest.
const build = document.querySelector("meta[name=ledger-build]").content;
setInterval(async () => {
  const reply = await fetch("/__build").catch(() => null);
  if (reply && reply.ok && (await reply.text()).trim() !== build) location.reload();
}, 1000);
