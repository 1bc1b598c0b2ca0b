// btl.run's page of a match that is over.

import assert from "node:assert/strict";
import test from "node:test";
import { keepScreenshot, looks, open, origin, printedUrl, withAndWithoutScripts } from "./pages.js";

const story = new URL(printedUrl("Its story")).pathname;

looks("story", story);

withAndWithoutScripts("it tells the match, who died, the ranking and that it was fair", async (test, settings) => {
  const page = await open(test, story, settings);
  await page.getByRole("heading", { level: 1, name: "The story of the old forest" }).waitFor();
  await page.getByRole("heading", { level: 2, name: "Day 1" }).waitFor();
  const match = await (await fetch(`${origin}${story.replace("stories", "match")}`)).json();
  const dead = match.roster.filter((tribute) => !tribute.alive).map((tribute) => `† ${tribute.name} died.`);
  const marked = await page.locator(".death").allTextContents();
  assert.deepEqual(marked.sort(), dead.sort());
  const ranking = page.locator("section", { has: page.getByRole("heading", { name: "Ranking" }) });
  const names = match.roster.sort((one, other) => one.rank - other.rank).map((tribute) => tribute.name);
  assert.deepEqual(await ranking.getByRole("rowheader").allTextContents(), names);
  await page.getByText("Verified. The match was played again from its seed").waitFor();
});

test("its link leads to the verification", async (test) => {
  const page = await open(test, story);
  const [response] = await Promise.all([
    page.waitForResponse("**/verify"),
    page.getByRole("link", { name: "The verification for programs" }).click(),
  ]);
  assert.equal((await response.json()).isVerified, true);
});

test("it prints without what is for the screen only", async (test) => {
  const page = await open(test, story);
  await page.emulateMedia({ media: "print" });
  assert(!(await page.locator("header.top").isVisible()));
  assert(!(await page.getByRole("link", { name: "The verification for programs" }).isVisible()));
  await keepScreenshot(page, "story-print");
});
