// The search index is the heaviest file of a page without a lab. Hold its request back until the reader goes to the search field.
(() => {
  const send = XMLHttpRequest.prototype.send;
  const open = XMLHttpRequest.prototype.open;
  const isIndex = (url) => new URL(url, document.baseURI).pathname.endsWith("/search/search_index.json");
  const wanted = new Promise((resolve) => {
    const seen = (event) => {
      const target = event.target;
      if (target instanceof Element && target.closest("[data-md-component=search], [for=__search], #__search")) resolve();
    };
    for (const name of ["focusin", "pointerdown", "change"]) document.addEventListener(name, seen);
    if (new URLSearchParams(location.search).has("q")) resolve();
  });
  XMLHttpRequest.prototype.open = function (method, url, ...rest) {
    this.heldForSearch = isIndex(url);
    return open.call(this, method, url, ...rest);
  };
  XMLHttpRequest.prototype.send = function (...body) {
    if (!this.heldForSearch) return send.apply(this, body);
    wanted.then(() => send.apply(this, body));
  };
})();
