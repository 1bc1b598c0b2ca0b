// The API documentation: search, links to operations, copying, and requests from the page.

import assert from "node:assert/strict";
import test from "node:test";
import { looks, newContext, open, origin, token, withAndWithoutScripts } from "./pages.js";

const DOCS = "/hacktracker/docs";
/** Follows the link to an operation. */
const openOperation = (id) => async (page, keepScreenshot) => {
  await keepScreenshot("start");
  await page.goto(`${page.url()}#${id}`);
};

looks("documentation", DOCS, { fullPage: false, prepare: openOperation("recordAtBat") });
looks("documentation-btl-run", "/btl-run/docs", { fullPage: false, prepare: openOperation("createMatch") });

const operationOf = (page, id) => page.locator(`details:has(> #${id})`);
const operations = (page) => page.locator("details.operation:visible");

test("search shows the operations that have every word", async (test) => {
  const page = await open(test, DOCS);
  const all = await operations(page).count();
  await page.getByRole("searchbox").fill("post atbats");
  const found = await operations(page).evaluateAll((list) => list.map((one) => one.dataset.text));
  assert(found.length > 0 && found.length < all, `${found.length} of ${all}`);
  for (const text of found) assert.match(text.toLowerCase(), /(?=.*post)(?=.*atbats)/s);
  assert.equal(await page.getByRole("status").first().textContent(), `${found.length} found`);
  const listed = await page.locator("aside li[data-text]:visible").count();
  assert.equal(listed, found.length);
  await page.getByRole("searchbox").fill("nothing has these words");
  assert.equal(await operations(page).count(), 0);
  await page.getByText("0 found").waitFor();
  await page.getByRole("searchbox").fill("");
  assert.equal(await operations(page).count(), all);
});

test("a link leads to an operation, which it opens", async (test) => {
  const page = await open(test, `${DOCS}#recordAtBat`);
  const operation = operationOf(page, "recordAtBat");
  await operation.getByText("curl -X POST").waitFor();
  const { y } = await operation.boundingBox();
  assert(y >= 0 && y < 400, `the operation is at ${y} px`);
  await page.locator("aside").getByRole("link", { name: "listTeams" }).click();
  await page.locator("#listTeams").getByText("curl").waitFor();
});

test("an example is copied with the address that the browser uses", async (test) => {
  const context = await newContext(test, { permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  await page.goto(`${DOCS}#recordAtBat`);
  const example = page.locator("#recordAtBat .copied").first();
  await example.getByRole("button", { name: "Copy" }).click();
  await example.getByRole("button", { name: "Copied" }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^curl -X POST -H "Authorization: Bearer \$TOKEN"/);
  assert(copied.endsWith(`"${origin}/hacktracker/games/{gameId}/atbats"`), copied);
});

test("a request is sent from the page, with a token or without", async (test) => {
  const page = await open(test, `${DOCS}#listTeams`);
  const form = page.locator("#listTeams form");
  await form.getByRole("button", { name: "Send request" }).click();
  await form.getByText("401 Unauthorized").waitFor();
  await page.getByLabel("Token for “Send request”").fill(token("casey"));
  await form.getByRole("button", { name: "Send request" }).click();
  await form.getByText("200 OK").waitFor();
  await form.getByText('"Portland Pioneers"').first().waitFor();
  const response = await form.locator("pre").textContent();
  const [{ teamId }] = JSON.parse(response.slice(response.indexOf("{"))).teams;
  // Parts of the path are inserted, and a body is sent as it is written.
  await page.goto(`${DOCS}#createSeason`);
  const season = page.locator("#createSeason form");
  await season.getByLabel("teamId").fill(teamId);
  await season.getByLabel("Body").fill('{"name": "Autumn of the browser"}');
  await season.getByRole("button", { name: "Send request" }).click();
  await season.getByText("201 Created").waitFor();
  await season.getByText('"Autumn of the browser"').waitFor();
});

withAndWithoutScripts("operations, examples and errors can be read", async (test, settings) => {
  const page = await open(test, DOCS, settings);
  const operation = operationOf(page, "recordAtBat");
  await operation.locator("summary").first().click();
  await operation.getByText("curl -X POST").waitFor();
  await operation.getByRole("cell", { name: "playerId" }).first().waitFor();
  await operation.getByRole("cell", { name: "LINEUP_REQUIRED" }).waitFor();
  // What needs a script is not shown without one.
  const shown = settings.script;
  assert.equal(await page.getByRole("searchbox").isVisible(), shown);
  assert.equal(await operation.getByRole("button", { name: "Send request" }).isVisible(), shown);
});
