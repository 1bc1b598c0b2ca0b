// Pages of a running server in Chromium: one browser for each file of tests, one context for each page.
//
// `cargo xtask test --only browser` starts the server and sets the variables. A page fails its test if it
// requests anything from another origin, breaks its Content-Security-Policy, or has an error in a script.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import test, { after, before } from "node:test";
import { chromium } from "playwright-core";

const { AWS_ENDPOINT_URL, CHROMIUM = "/usr/bin/chromium", MONOTABLE_BROWSER } = process.env;
assert(
  AWS_ENDPOINT_URL && MONOTABLE_BROWSER,
  "set AWS_ENDPOINT_URL and MONOTABLE_BROWSER, or run `cargo xtask test --only browser`",
);

/** Where the server is. */
export const origin = AWS_ENDPOINT_URL;

/** What the server printed when it started: the tokens of the demo users, and links. */
export const greeting = readFileSync(`${MONOTABLE_BROWSER}/greeting.txt`, "utf8");

/** Where the server writes e-mails, one file each. */
const mailFolder = `${MONOTABLE_BROWSER}/data/mail`;

const PHONE = { width: 360, height: 740 };
const DESKTOP = { width: 1280, height: 800 };
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let browser;
before(async () => {
  browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
});
after(() => browser?.close());

/**
 * Opens a context of its own, which is closed after the test. `foreign` is the origin of another site whose pages
 * the test visits: what the browser reports of them is no problem of ours.
 */
export async function newContext(test, { script = true, foreign, ...settings } = {}) {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: DESKTOP,
    reducedMotion: "reduce",
    javaScriptEnabled: script,
    ...settings,
  });
  const problems = [];
  context.on("weberror", (error) => problems.push(`error: ${error.error()}`));
  context.on("console", (message) => {
    // Refused requests and a network that is cut, while the browser looks for a newer service worker as well, are
    // part of some tests; their pages show it.
    const isExpected = ["Failed to load resource", "An unknown error occurred when fetching the script"].some(
      (start) => message.text().startsWith(start),
    );
    if (message.type() === "error" && !isExpected) problems.push(`console: ${message.text()}`);
  });
  context.on("request", (request) => {
    const url = request.url();
    const isOurs = url.startsWith(`${origin}/`) || url.startsWith("data:");
    if (!isOurs) problems.push(`request to ${url}`);
  });
  test.after(async () => {
    await context.close();
    if (!foreign) assert.deepEqual(problems, [], "the page had problems");
  });
  return context;
}

/** Opens a page in a new context. */
export async function open(test, path, settings) {
  const page = await (await newContext(test, settings)).newPage();
  await page.goto(path);
  return page;
}

/** Defines a test that runs with scripts, and one that runs without. */
export function withAndWithoutScripts(name, run) {
  test(name, (test) => run(test, { script: true }));
  test(`${name} (without JavaScript)`, (test) => run(test, { script: false }));
}

/**
 * Defines a test of how a page looks on a phone and on a desktop, in light and in dark: axe-core finds nothing,
 * nothing is wider than the screen, and a screenshot is kept. `path` can be a function that finds it. `prepare`
 * does something before that; it gets the page, and a function that keeps another screenshot.
 */
export function looks(name, path, { prepare = async () => {}, fullPage = true } = {}) {
  test(`${name}: accessible and not too wide, in light and dark`, async (test) => {
    for (const [device, viewport] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
      for (const colorScheme of ["light", "dark"]) {
        const context = await newContext(test, { viewport, colorScheme });
        // The page's policy does not apply to what the browser itself runs first.
        await context.addInitScript({ content: AXE });
        const page = await context.newPage();
        await page.goto(typeof path === "function" ? await path() : path);
        const variant = `${name}-${device}-${colorScheme}`;
        const keep = (suffix) => keepScreenshot(page, variant + suffix, fullPage);
        await prepare(page, (state) => keep(`-${state}`));
        await keep("");
        await assertFits(page, variant);
        // Both layouts and both themes; the other two would find the same again.
        if ((device === "phone") === (colorScheme === "light")) await assertAccessible(page, variant);
      }
    }
  });
}

/** Keeps a screenshot with the results of the tests. */
export function keepScreenshot(page, name, fullPage = true) {
  return page.screenshot({ path: `${MONOTABLE_BROWSER}/${name}.png`, fullPage });
}

/** Checks that nobody has to scroll sideways. */
async function assertFits(page, name) {
  const [width, visible] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return [scrollWidth, clientWidth];
  });
  assert(width <= visible, `${name} is ${width} px wide on a screen of ${visible} px`);
}

async function assertAccessible(page, name) {
  const findings = await page.evaluate(async () => {
    const { violations } = await window.axe.run({ resultTypes: ["violations"] });
    return violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map((node) => node.html) }));
  });
  assert.deepEqual(findings, [], `axe-core finds something in ${name}`);
}

/** Serves a page of another site until the test ends, and returns its address. */
export async function foreignPage(test, html) {
  const server = createServer((request, response) => {
    response.setHeader("content-type", "text/html").end(html);
  });
  // Browsers take the name and the number of the machine for two sites.
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  test.after(() => { server.closeAllConnections(); server.close(); });
  return `http://localhost:${server.address().port}/`;
}

/** Signs in to HackTracker as a person of the demo, and waits for the page that follows. */
export async function signInAs(page, user, then) {
  await page.goto(`/hacktracker/sign-in?then=${encodeURIComponent(then)}`);
  await page.getByRole("button", { name: `Sign in as ${user}@demo.example` }).click();
  await page.waitForURL((url) => !url.pathname.endsWith("/sign-in"));
}

/** The link in the e-mail to an address. */
export function mailedLink(email) {
  const files = readdirSync(mailFolder).filter((file) => file.endsWith(".json"));
  const letters = files.map((file) => JSON.parse(readFileSync(`${mailFolder}/${file}`, "utf8")));
  const found = letters.filter((letter) => letter.recipient === email);
  assert.equal(found.length, 1, `${found.length} e-mails to ${email}`);
  return found[0].text.match(/^http\S+$/m)[0];
}

/** The token of a demo user, such as `casey`. */
export function token(user) {
  const found = greeting.match(new RegExp(`export ${user.toUpperCase()}=(\\S+)`));
  assert(found, `the server printed no token of ${user}:\n${greeting}`);
  return found[1];
}

/** The address that the server printed after a text. */
export function printedUrl(text) {
  const found = greeting.match(new RegExp(`${text}: (\\S+)`));
  assert(found, `the server printed no address after ${text}:\n${greeting}`);
  return found[1];
}

/** Sends a request to the API with a bearer token, and returns the body of its response, which must be a success. */
export async function send(bearer, method, path, body) {
  const [status, sent] = await trySend(bearer, method, path, body);
  assert(status < 300, `${method} ${path}: ${status} ${JSON.stringify(sent)}`);
  return sent;
}

/** Sends a request to the API with a bearer token, and returns the status and the body of its response. */
export async function trySend(bearer, method, path, body) {
  const response = await fetch(origin + path, {
    method,
    headers: {
      authorization: `Bearer ${bearer}`,
      "content-type": "application/json",
      ...(method === "POST" && { "idempotency-key": randomUUID() }),
    },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  return [response.status, text && JSON.parse(text)];
}
