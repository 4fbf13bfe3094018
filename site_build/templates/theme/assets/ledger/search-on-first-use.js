// What search needs before Material's own script runs: an index and a worker that wait for a reader, Chinese queries in
// words, and results that show how far the evidence goes.
{
  const { open, send } = XMLHttpRequest.prototype;
  const [QUERY, RESULT] = [2, 3];
  const boundaries = new Map();
  const words = new Set();
  let longest = 0;

  const wanted = new Promise((resolve) => {
    const seen = (event) => {
      const target = event.target;
      if (target instanceof Element && target.closest("[data-md-component=search], [for=__search], #__search")) resolve();
    };
    for (const name of ["focusin", "pointerdown", "change"]) document.addEventListener(name, seen);
    if (new URLSearchParams(location.search).has("q")) resolve();
  });

  // The index is the heaviest file of a page without a lab. Hold its request back until the reader goes to the search field.
  XMLHttpRequest.prototype.open = function (method, url, ...rest) {
    this.heldForSearch = new URL(url, document.baseURI).pathname.endsWith("/search/search_index.json");
    // before Material's own listener, which lets the answer go
    if (this.heldForSearch) this.addEventListener("load", async () => learn(await this.response.text()));
    return open.call(this, method, url, ...rest);
  };
  XMLHttpRequest.prototype.send = function (...body) {
    if (!this.heldForSearch) return send.apply(this, body);
    wanted.then(() => send.apply(this, body));
  };

  // In the index Chinese words stand apart, so every run of Chinese is one word.
  function learn(index) {
    for (const { location: place, title, text, boundary } of JSON.parse(index).docs) {
      if (boundary) boundaries.set(place, boundary);
      for (const word of `${title} ${text}`.match(/\p{sc=Han}{2,}/gu) ?? []) words.add(word);
    }
    for (const word of words) longest = Math.max(longest, word.length);
  }

  // Material's worker cuts a run of Chinese into words of the index but never looks at the last character of the run. So each
  // known word gets a rare character behind it, which the worker drops; what is not known stays as it was typed.
  function inWords(run) {
    const parts = [];
    for (let start = 0; start < run.length; ) {
      let end = Math.min(run.length, start + longest);
      while (end > start + 1 && !words.has(run.slice(start, end))) end -= 1;
      const found = end > start + 1;
      if (found || !parts.length || parts.at(-1).known) parts.push({ known: found, text: "" });
      parts.at(-1).text += run.slice(start, Math.max(end, start + 1)) + (found ? "\u9f98" : "");
      start = Math.max(end, start + 1);
    }
    return parts.map((part) => part.text).join(" ");
  }

  function addBoundaries({ type, data }) {
    if (type !== RESULT) return;
    for (const result of data.items.flat()) {
      const boundary = boundaries.get(result.location);
      if (boundary) result.text += `<p class="rl-result__boundary">${boundary}</p>`;
    }
  }

  // Material makes its worker with the page and first speaks to it when the index is there; it starts with that word.
  class SearchWorker extends EventTarget {
    #worker = null;

    constructor(...options) {
      super();
      this.options = options;
    }

    #start() {
      const worker = new Started(...this.options);
      worker.addEventListener("message", ({ data }) => {
        addBoundaries(data);
        this.dispatchEvent(new MessageEvent("message", { data }));
      });
      return worker;
    }

    postMessage(message) {
      const isQuery = message.type === QUERY && typeof message.data === "string";
      this.#worker ??= this.#start();
      this.#worker.postMessage(isQuery ? { ...message, data: message.data.replace(/\p{sc=Han}{2,}/gu, inWords) } : message);
    }
  }

  const Started = window.Worker;
  window.Worker = new Proxy(Started, {
    construct(target, options) {
      const isSearch = /\/workers\/search[^/]*$/.test(new URL(options[0], document.baseURI).pathname);
      return isSearch ? new SearchWorker(...options) : new target(...options);
    },
  });
}
