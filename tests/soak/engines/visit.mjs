// Visit pages and labs of a site in one browser, and print what was seen as JSON.
// node visit.mjs REQUEST, where REQUEST is a file: { driver, browser, executable, base, pages, labs, searches }
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const request = JSON.parse(readFileSync(process.argv[2], "utf-8"));
const { default: puppeteer } = await import(createRequire(`${request.driver}/`).resolve("puppeteer-core"));
const PATIENCE = 120_000;

const browser = await puppeteer.launch({
  browser: request.browser,
  executablePath: request.executable,
  headless: true,
  protocol: "webDriverBiDi",
  protocolTimeout: PATIENCE,
  args: request.browser === "chrome" ? ["--no-sandbox", "--disable-gpu"] : [],
});

// before any script of a page: what the content policy refuses, and what a script does not catch
const listen = () => {
  window.refused = [];
  addEventListener("securitypolicyviolation", (event) => window.refused.push(`${event.violatedDirective} ${event.blockedURI}`));
  // Chromium reads a formula in letters of their own, and lists what can be chosen
  window.shown = (part) => {
    const choices = [...part.querySelectorAll("select")].map((select) => select.innerText);
    return choices.reduce((text, choice) => text.replace(choice, ""), part.innerText).normalize("NFKC").replace(/\s+/g, "");
  };
  addEventListener("unhandledrejection", (event) => window.refused.push(`unhandled ${event.reason}`));
};

// an error of the driver does not say on which page
let here = "";
process.on("uncaughtExceptionMonitor", () => console.error(`${request.browser} at ${request.base}${here}`));

const open = async (path) => {
  here = path;
  const page = await browser.newPage();
  page.asked = [];
  page.complaints = [];
  page.on("request", (asked) => page.asked.push(asked.url()));
  page.on("pageerror", (error) => page.complaints.push(String(error)));
  page.on("console", (message) => message.type() === "error" && page.complaints.push(message.text()));
  await page.setViewport({ width: 390, height: 800 });
  await page.evaluateOnNewDocument(listen);
  await page.goto(request.base + path, { waitUntil: "load", timeout: PATIENCE });
  return page;
};

const leave = async (page, seen) => {
  const refused = await page.evaluate(() => window.refused);
  await page.close();
  const asked = page.asked.filter((url) => /^https?:/.test(url));
  return { ...seen, complaints: [...page.complaints, ...refused], strangers: asked.filter((url) => !url.startsWith(request.base)) };
};

const look = () => ({
  words: shown(document.querySelector(".md-content")),
  formulas: [...document.querySelectorAll("main math")].filter((math) => math.getBoundingClientRect().width > 0).length,
  pictures: [...document.querySelectorAll("main svg[role=img]")].filter((svg) => svg.getBoundingClientRect().width > 0).length,
  beyond: document.documentElement.scrollWidth - document.documentElement.clientWidth,
});

// ask a lab its defaults, as a script in the page may
const askLab = () =>
  new Promise((resolve) => {
    const article = document.querySelector(".rl-lab");
    article.addEventListener("lab:settled", (event) => resolve(event.detail), { once: true });
    article.dispatchEvent(new CustomEvent("lab:ask", { detail: {} }));
  });

const seen = { version: await browser.version(), pages: {}, labs: {}, searches: {} };
for (const path of request.pages) {
  const page = await open(path);
  if (await page.$(".rl-lab")) await page.waitForSelector(".rl-lab[data-ready]", { timeout: PATIENCE });
  seen.pages[path] = await leave(page, await page.evaluate(look));
}
for (const path of request.labs) {
  const page = await open(path);
  await page.waitForSelector(".rl-lab[data-ready]", { timeout: PATIENCE });
  const answer = await page.evaluate(askLab);
  const result = await page.$eval(".rl-lab__result", (part) => shown(part));
  seen.labs[path] = await leave(page, { state: answer.state, why: answer.why, reply: answer.reply, result });
}
for (const [home, query] of request.searches) {
  const page = await open(home);
  await page.click("label[for=__search].md-header__button");
  await page.waitForSelector(".md-search__input", { visible: true });
  await page.type(".md-search__input", query);
  await page.waitForSelector(".md-search-result__item a", { timeout: PATIENCE });
  const first = await page.$eval(".md-search-result__item a", (link) => new URL(link.href).pathname);
  seen.searches[`${home} ${query}`] = await leave(page, { first });
}
await browser.close();
process.stdout.write(JSON.stringify(seen));
