// Three states and a ticket: pending, fulfilled, rejected; an answer to an old question is dropped.

export class Runner {
  #worker = null;
  #turn = null;
  #ready = false;
  #sent = null;
  #waiting = null;
  #timer = 0;
  #ticket = 0;

  // `show` gets every state; `startWorker` promises a worker that has been told to boot
  constructor(startWorker, show) {
    this.startWorker = startWorker;
    this.show = show;
  }

  ask(lab, inputs, seconds) {
    this.#waiting = { ticket: ++this.#ticket, lab, inputs, seconds };
    this.show({ state: "pending", phase: this.#ready ? "running" : "loading" });
    if (!this.#turn) this.#start();
    this.#send();
  }

  // one question at a time is in the worker's hands; of those that come meanwhile only the newest is kept
  #send() {
    if (!this.#ready || this.#sent || !this.#waiting) return;
    const question = (this.#sent = this.#waiting);
    this.#waiting = null;
    this.show({ state: "pending", phase: "running" });
    this.#timer = setTimeout(() => this.stop("limit", question.seconds), question.seconds * 1000);
    this.#worker.postMessage({ kind: "run", ticket: question.ticket, lab: question.lab, inputs: question.inputs });
  }

  async #start() {
    const turn = (this.#turn = {});
    let worker;
    try {
      worker = await this.startWorker();
    } catch (fault) {
      if (turn === this.#turn) this.#fail({ why: fault.kind ?? "failed", file: fault.file, text: fault.message });
      return;
    }
    // ended before it began
    if (turn !== this.#turn) return worker.terminate();
    this.#worker = worker;
    worker.onmessage = ({ data }) => worker === this.#worker && this.#hear(data);
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker === this.#worker) this.#fail({ why: "failed", text: event.message || "worker" });
    };
  }

  #hear(data) {
    if (data.kind === "reply") this.#settle(data);
    else if (data.kind === "failed") this.#fail(data);
    else if (data.kind === "ready") {
      this.#ready = true;
      this.#send();
    } else if (this.#waiting) this.show({ state: "pending", phase: data.kind, done: data.done, all: data.all });
  }

  #settle({ ticket, reply }) {
    clearTimeout(this.#timer);
    const question = this.#sent;
    this.#sent = null;
    if (ticket === this.#ticket) this.show({ state: "fulfilled", reply, inputs: question.inputs });
    this.#send();
  }

  #fail({ why, file, text }) {
    this.#end();
    this.show({ state: "rejected", why, file, text });
  }

  // a worker that computes can only be ended; the next one starts at once, so that the next run is clean
  stop(why = "stopped", seconds = 0) {
    if (!this.#sent && !this.#waiting) return;
    const wasReady = this.#ready;
    this.#end();
    if (wasReady) this.#start();
    this.show({ state: "rejected", why, seconds });
  }

  // a word to the worker beside the questions
  tell(message) {
    this.#worker?.postMessage(message);
  }

  // drop what is still on its way, and let it finish unseen
  forget() {
    ++this.#ticket;
    this.#waiting = null;
  }

  #end() {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = this.#turn = this.#sent = this.#waiting = null;
    this.#ready = false;
    ++this.#ticket;
  }
}
