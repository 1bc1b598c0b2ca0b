// HackTracker's page for the scorekeeper: a form made from a body, and the outbox.

import assert from "node:assert/strict";
import test from "node:test";
import { setTimeout } from "node:timers/promises";
import { looks, newContext, open, printedUrl, send, signInAs, token, withAndWithoutScripts } from "./pages.js";

const casey = token("casey");
const HOME = "/hacktracker/my-games";

/** Starts a game of a new team with these players, and returns its id and the path of its page. */
async function newGame(names = ["Ada", "Bo", "Cy"]) {
  const team = await send(casey, "POST", "/hacktracker/teams", { name: "Testers", team_type: "MANAGED" });
  const lineup = [];
  for (const [index, firstName] of names.entries()) {
    const player = { firstName, lastName: "Player", playerNumber: index + 1 };
    const added = await send(casey, "POST", `/hacktracker/teams/${team.teamId}/players`, player);
    lineup.push(added.playerId);
  }
  const fields = { teamId: team.teamId, opponentName: "Others", lineup, scoreMode: "auto", status: "IN_PROGRESS" };
  const { gameId } = await send(casey, "POST", "/hacktracker/games", fields);
  return { gameId, path: `/hacktracker/score/${gameId}` };
}

/** The results that were recorded, in order. */
async function recorded(gameId) {
  const { atBats } = await send(casey, "GET", `/hacktracker/games/${gameId}/atbats`);
  return atBats.map((atBat) => atBat.result);
}

/** Waits until as many results are recorded, and checks which. */
async function assertRecorded(gameId, expected) {
  for (let tries = 0; tries < 100 && (await recorded(gameId)).length < expected.length; tries++) await setTimeout(200);
  assert.deepEqual(await recorded(gameId), expected);
}

/** Opens a page, and signs in on the way. */
async function openAs(test, path, settings) {
  const page = await open(test, path, settings);
  await page.getByRole("link", { name: "Sign in" }).last().click();
  await page.getByRole("button", { name: "Sign in as casey@demo.example" }).click();
  await page.getByRole("heading", { name: "Testers – Others" }).waitFor();
  return page;
}

async function record(page, result) {
  await page.getByLabel("Result").selectOption(result);
  await page.getByRole("button", { name: "Record" }).click();
}

/** Waits until the list of what was not sent has so many acts. */
const waiting = (page, count) =>
  page.waitForFunction((count) => document.querySelectorAll("#outbox ol li").length === count, count);

looks("score-page", async () => (await newGame()).path, {
  prepare: async (page) => {
    await page.getByRole("link", { name: "Sign in" }).last().click();
    await page.getByRole("button", { name: "Sign in as casey@demo.example" }).click();
    await page.getByRole("heading", { name: "Testers – Others" }).waitFor();
  },
});

withAndWithoutScripts("a plate appearance is recorded by a form", async (test, settings) => {
  const { gameId, path } = await newGame();
  const page = await openAs(test, path, settings);
  assert.equal(new URL(page.url()).pathname, path);
  await page.getByLabel("Result").selectOption("Home run");
  await record(page, "1B");
  await page.getByText("Ada Player #1 singles").waitFor();
  assert.deepEqual(await recorded(gameId), ["1B"]);
});

test("a form without JavaScript is shown again with its errors", async (test) => {
  const { gameId, path } = await newGame();
  const page = await openAs(test, path, { script: false });
  await page.getByLabel("Runs batted in").evaluate((field) => field.removeAttribute("max"));
  await page.getByLabel("Runs batted in").fill("9");
  await record(page, "1B");
  await page.getByText(/^Runs batted in must be/).waitFor();
  assert.equal(await page.getByLabel("Runs batted in").inputValue(), "9");
  await page.getByLabel("Runs batted in").fill("");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("Ada Player #1 singles").waitFor();
  assert.deepEqual(await recorded(gameId), ["1B"]);
});

test("what is recorded without a network is sent later, once and in order", async (test) => {
  const { gameId, path } = await newGame();
  const page = await openAs(test, path);
  // The service worker must be ready before the network is gone.
  await page.evaluate(() => navigator.serviceWorker.ready);
  await record(page, "BB");
  await page.getByText("Ada Player #1 walks").waitFor();
  const batter = (name) => page.locator("[name=playerId] :checked").getByText(name).waitFor({ state: "attached" });
  await batter("Bo Player");
  await page.context().setOffline(true);
  // The next batter is chosen by itself, and after the last one the first.
  await record(page, "1B");
  await batter("Cy Player");
  await record(page, "2B");
  await batter("Ada Player");
  await waiting(page, 2);
  assert.deepEqual(await recorded(gameId), ["BB"]);
  // The page is loaded again without a network, and goes on.
  await page.reload();
  await page.getByRole("heading", { name: "Testers – Others" }).waitFor();
  await waiting(page, 2);
  await batter("Ada Player");
  await page.getByLabel("Batter").selectOption({ index: 2 });
  await record(page, "K");
  await waiting(page, 3);
  await page.context().setOffline(false);
  await page.getByRole("heading", { name: "Last plays" }).waitFor();
  await assertRecorded(gameId, ["BB", "1B", "2B", "K"]);
  await waiting(page, 0);
});

test("a response that is lost does not record twice", async (test) => {
  const { gameId, path } = await newGame();
  const page = await openAs(test, path);
  let lost = 0;
  await page.route("**/atbats", async (route) => {
    if (lost++ > 0) return route.continue();
    await route.fetch({ maxRedirects: 0 });
    return route.abort();
  });
  await record(page, "HR");
  await page.getByText("No connection.").waitFor();
  await waiting(page, 0);
  assert.deepEqual(await recorded(gameId), ["HR"]);
});

test("a refusal is shown beside its act and stops what comes after it", async (test) => {
  const { gameId, path } = await newGame();
  const page = await openAs(test, path);
  await page.context().setOffline(true);
  await record(page, "1B");
  await page.getByLabel("Runs batted in").fill("1");
  await record(page, "K");
  await record(page, "2B");
  await waiting(page, 3);
  await page.context().setOffline(false);
  await waiting(page, 2);
  // The second was refused, so that it is still the turn of its batter.
  await page.locator("[name=playerId] :checked").getByText("Bo Player").waitFor({ state: "attached" });
  const refused = page.locator("#outbox li").first();
  await refused.locator(".error").waitFor();
  assert.deepEqual(await recorded(gameId), ["1B"]);
  await refused.getByRole("button", { name: "Discard" }).click();
  await assertRecorded(gameId, ["1B", "2B"]);
  await waiting(page, 0);
});

test("acts of one person are not sent by another", async (test) => {
  const { gameId, path } = await newGame();
  const context = await newContext(test);
  const page = await context.newPage();
  await signInAs(page, "casey", HOME);
  await page.goto(path);
  // The server does not answer, so that the act waits.
  await page.route("**/atbats", (route) => route.abort());
  await record(page, "1B");
  await waiting(page, 1);
  await context.clearCookies();
  await page.unroute("**/atbats");
  await signInAs(page, "drew", HOME);
  await page.goto(printedUrl("A game that is played now, for its scorekeeper"));
  await page.getByRole("button", { name: "Record" }).waitFor();
  await waiting(page, 0);
  assert.deepEqual(await recorded(gameId), []);
  await context.clearCookies();
  await signInAs(page, "casey", HOME);
  await page.goto(path);
  await page.getByText("Ada Player #1 singles").waitFor();
  await waiting(page, 0);
  assert.deepEqual(await recorded(gameId), ["1B"]);
});
