// HackTracker's page of a game that is followed by its link.

import assert from "node:assert/strict";
import test, { before } from "node:test";
import { keepScreenshot, looks, newContext, open, send, token, withAndWithoutScripts } from "./pages.js";

let game;
let lineup;
let live;

/** Records a play of the next batter, and returns it as the page shows it. */
let plays = 0;
async function play(result, words) {
  const player = lineup[plays++ % lineup.length];
  await send(token("sam"), "POST", `/hacktracker/games/${game}/atbats`, { playerId: player.playerId, result });
  return `${player.firstName} ${player.lastName} #${player.playerNumber} ${words}`;
}

before(async () => {
  const teams = await send(token("sam"), "GET", "/hacktracker/teams");
  const team = teams.teams.find((team) => team.name === "Portland Pioneers").teamId;
  const games = await send(token("sam"), "GET", `/hacktracker/teams/${team}/games`);
  game = games.games.find((game) => game.status === "IN_PROGRESS").gameId;
  lineup = (await send(token("sam"), "GET", `/hacktracker/teams/${team}/players`)).players;
  const share = await send(token("casey"), "POST", `/hacktracker/games/${game}/shares`);
  live = `/hacktracker/live/${share.token}`;
});

looks("live", () => live);
looks("problem", "/hacktracker/live/nothing");

test("a play is shown as soon as it is recorded, without loading the page again", async (test) => {
  const page = await open(test, live);
  await page.getByText("Updates by itself").waitFor();
  await page.evaluate(() => { window.isSamePage = true; });
  const runs = () => page.locator("#score tbody tr").first().locator("strong").textContent();
  const before = Number(await runs());
  const text = await play("HR", "hits a home run");
  await page.locator("#plays li", { hasText: text }).first().waitFor();
  assert(Number(await runs()) > before, "the score has the run");
  assert(await page.evaluate(() => window.isSamePage));
});

test("a lost connection is shown, and what was missed is there after it", async (test) => {
  const page = await (await newContext(test)).newPage();
  await page.route("**/events", (route) => route.fulfill({ status: 503 }));
  await page.goto(live);
  await page.getByText("Connection lost. Trying again…").waitFor();
  const text = await play("3B", "triples");
  await page.unroute("**/events");
  await page.getByText("Updates by itself").waitFor();
  await page.locator("#plays li", { hasText: text }).first().waitFor();
});

withAndWithoutScripts("score, plays and box score can be read", async (test, settings) => {
  const text = await play("BB", "walks");
  const page = await open(test, live, settings);
  await page.getByRole("heading", { level: 1, name: "Portland Pioneers – Bay Breakers" }).waitFor();
  for (const heading of ["Play by play", "Box score"]) {
    await page.getByRole("heading", { name: heading }).waitFor();
  }
  await page.locator("#plays li", { hasText: text }).first().waitFor();
  await page.getByRole("rowheader", { name: "Portland Pioneers" }).waitFor();
  await page.getByRole("img", { name: /First base: / }).waitFor();
});

test("it prints as a score sheet", async (test) => {
  const page = await open(test, live);
  await page.emulateMedia({ media: "print" });
  for (const hidden of ["header.top", "#situation", "#connection"]) {
    assert(!(await page.locator(hidden).isVisible()), `${hidden} is printed`);
  }
  for (const printed of ["#score", "#plays", "#box"]) {
    assert(await page.locator(printed).isVisible(), `${printed} is not printed`);
  }
  await keepScreenshot(page, "live-print");
});
