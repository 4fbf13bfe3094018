// The result as a chart: the specification that the build drew, filled with what the page computed. The library that
// draws comes when a lab runs; its expressions are interpreted, so that no script is made from text.
import { loadFile } from "./lab_files.js";
import { readReply, Whole } from "./lab_numbers.js";
import { atPath } from "./lab_print.js";
import { make } from "./lab_result.js";

const LIBRARY = "charts.js";
const DATA = "points";

const bare = (value) => {
  if (Array.isArray(value)) return value.map(bare);
  if (value instanceof Whole) return value.value;
  return typeof value === "bigint" ? Number(value) : value;
};

// a point for each place of lists of one length, or one point of single values
export const pointsOf = (series, result) => {
  const columns = Object.entries(series).map(([name, path]) => [name, atPath(result, path)]);
  const point = (at) => Object.fromEntries(columns.map(([name, column]) => [name, bare(Array.isArray(column) ? column[at] : column)]));
  const [, first] = columns[0];
  return Array.isArray(first) ? first.map((_, at) => point(at)) : [point(0)];
};

export class Picture {
  #view = null;
  #library = null;

  // `box` is where the picture stands, `config` how the build draws
  constructor(picture, config, box, folder, files) {
    Object.assign(this, { picture, config, box, folder, files });
  }

  // start loading what draws; a fault shows when something is to be drawn
  load() {
    this.#library ??= loadFile(new URL(LIBRARY, this.folder).href, this.files[LIBRARY].sha256).then(() => import(new URL(LIBRARY, this.folder)));
    return this.#library;
  }

  async draw(reply) {
    const { series, spec } = this.picture;
    const found = pointsOf(series, readReply(reply).result);
    this.latest = found;
    const library = await this.load().catch((fault) => {
      this.#library = null;
      throw fault;
    });
    // an answer that came meanwhile draws itself
    if (this.latest !== found) return;
    if (!this.#view) await this.#open(library, { ...spec, config: this.#config(), data: { name: DATA, values: found } });
    else await this.#view.data(DATA, found).resize().runAsync();
    this.#name();
  }

  // words are measured on a canvas, which knows no variables
  #config() {
    const font = getComputedStyle(document.documentElement).getPropertyValue("--rl-sans");
    return { ...this.config, font };
  }

  async #open({ vegaEmbed }, spec) {
    const place = make("div", {});
    const options = { mode: "vega-lite", renderer: "svg", ast: true, actions: false, defaultStyle: false, tooltip: false };
    this.#view = (await vegaEmbed(place, spec, options)).view;
    this.box.replaceChildren(place);
  }

  // one name for the whole picture, as in the build
  #name() {
    const svg = this.box.querySelector("svg");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", this.picture.title);
    for (const part of svg.querySelectorAll("[role], [aria-roledescription], [aria-label]")) {
      for (const name of ["role", "aria-roledescription", "aria-label"]) part.removeAttribute(name);
    }
  }
}
