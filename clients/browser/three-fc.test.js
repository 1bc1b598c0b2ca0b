// 3FC: scoreboard, season, score keeping by taps, line-ups and joining.

import assert from "node:assert/strict";
import test from "node:test";
import { setTimeout } from "node:timers/promises";
import { looks, mailedLink, newContext, open, send, token, withAndWithoutScripts } from "./pages.js";

const casey = token("casey");
const PLAYERS = { red: "demo-flash", blue: "demo-otter", yellow: "demo-wren" };

/** The smallest picture. */
const PICTURE = Buffer.from("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==", "base64");

/** Makes a game with a player in each team, in its first third unless it is to wait. */
async function newGame({ started = true } = {}) {
  const day = { sessionDate: "2026-11-15" };
  const { sessionId } = await send(casey, "POST", "/3fc/v1/seasons/demo-autumn/sessions", day);
  const start = { gameStartTs: "2026-11-15T09:00:00Z" };
  const { gameId } = await send(casey, "POST", `/3fc/v1/sessions/${sessionId}/games`, start);
  for (const [teamId, playerId] of Object.entries(PLAYERS)) {
    await send(casey, "POST", `/3fc/v1/games/${gameId}/roster`, { teamId, playerId });
  }
  if (started) await send(casey, "POST", `/3fc/v1/games/${gameId}/thirds/1/start`);
  return gameId;
}

/** The goals of a game: who conceded, in which third. */
async function goals(gameId) {
  const { goals } = await send(casey, "GET", `/3fc/v1/games/${gameId}/goals`);
  return goals.map((goal) => `${goal.third} ${goal.concedingTeamId}`);
}

/** Signs in on the way to a page. */
async function signIn(page) {
  const { pathname } = new URL(page.url());
  await page.getByRole("link", { name: "Sign in" }).last().click();
  await page.getByRole("button", { name: "Sign in as casey@demo.example" }).click();
  await page.waitForURL(`**${pathname}`);
}

/** Signs in by a link that arrives by e-mail, from the page for that. Returns the link. */
async function signInByMail(page, email) {
  await page.getByLabel("Email").fill(email);
  await tap(page, "Send the link");
  await page.getByRole("heading", { name: "Check your e-mail" }).waitFor();
  const link = mailedLink(email);
  await page.goto(link);
  await tap(page, "Sign in");
  await page.waitForURL((url) => !url.pathname.includes("/sign-in"));
  return link;
}

/** Opens a page, and signs in on the way. */
async function openAsCasey(test, path, settings) {
  const page = await open(test, path, settings);
  await signIn(page);
  return page;
}

/** Taps the team that conceded, the scorer, and the button. */
async function tapGoal(page, conceded, scorer) {
  await page.locator("fieldset[id$=concedingTeamId] label", { hasText: conceded }).click();
  await page.locator("fieldset[id$=scorerPlayerId] label", { hasText: scorer }).click();
  await page.getByRole("button", { name: "Goal", exact: true }).click();
}

looks("3fc-scoreboard", "/3fc/games/demo-live");
looks("3fc-season", "/3fc/seasons/demo-autumn");
looks("3fc-league", "/3fc/leagues/fitzroy-triangle");
looks("3fc-leagues", "/3fc/leagues");
looks("3fc-session", "/3fc/sessions/demo-autumn-2026-11-08");
looks("3fc-score", async () => `/3fc/score/${await newGame()}`, { prepare: signIn });
looks("3fc-line-ups", async () => `/3fc/manage/games/${await newGame()}`, { prepare: signIn });
looks("3fc-manage", "/3fc/manage/leagues/demo-fitzroy", { prepare: signIn });
looks("3fc-player", "/3fc/manage/leagues/demo-fitzroy/players/demo-flash", { prepare: signIn });
looks("3fc-me", "/3fc/me", { prepare: signIn });

withAndWithoutScripts("a goal is recorded by taps", async (test, settings) => {
  const gameId = await newGame();
  const page = await openAsCasey(test, `/3fc/score/${gameId}`, settings);
  await tapGoal(page, "Blue", "Flash");
  await page.getByText("Flash (Red) against Blue").waitFor();
  assert.deepEqual(await goals(gameId), ["1 blue"]);
  await page.getByRole("button", { name: "Undo the last goal" }).click();
  await page.getByText("No goal yet.").waitFor();
  assert.deepEqual(await goals(gameId), []);
});

test("players of the team that conceded score own goals only", async (test) => {
  const page = await openAsCasey(test, `/3fc/score/${await newGame()}`);
  const scorer = (name) => page.locator("fieldset[id$=scorerPlayerId] label", { hasText: name });
  await page.locator("fieldset[id$=concedingTeamId] label", { hasText: "Blue" }).click();
  assert.equal(await scorer("Otter").isVisible(), false);
  assert.equal(await scorer("Flash").isVisible(), true);
  await page.getByLabel("Own goal").check();
  assert.equal(await scorer("Otter").isVisible(), true);
  assert.equal(await scorer("Flash").isVisible(), false);
  await scorer("Otter").click();
  await page.getByRole("button", { name: "Goal", exact: true }).click();
  await page.getByText("Otter, own goal of Blue").waitFor();
});

/** Waits until the list of what was not sent has so many acts. */
const waiting = (page, count) =>
  page.waitForFunction((count) => document.querySelectorAll("#outbox ol li").length === count, count);

const tap = (page, name) => page.getByRole("button", { name, exact: true }).click();

test("a whole game by taps, with the network cut in the second third", async (test) => {
  const gameId = await newGame({ started: false });
  const page = await openAsCasey(test, `/3fc/score/${gameId}`);
  const tv = await open(test, `/3fc/games/${gameId}`);
  await tv.getByText("Updates by itself").waitFor();
  await tap(page, "Start third 1");
  await tapGoal(page, "Blue", "Flash");
  // The scoreboard follows by itself.
  await tv.getByText("Flash (Red) against Blue").waitFor();
  await tap(page, "End third 1");
  await tap(page, "Start third 2");
  await page.getByRole("button", { name: "End third 2", exact: true }).waitFor();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.context().setOffline(true);
  await tapGoal(page, "Red", "Wren");
  await waiting(page, 1);
  // The page is loaded again without a network, and goes on: into the next third, with its goals.
  await page.reload();
  await waiting(page, 1);
  await tapGoal(page, "Yellow", "Otter");
  await tap(page, "End third 2");
  await waiting(page, 3);
  assert.equal(await page.getByRole("button", { name: "End third 2", exact: true }).isVisible(), false);
  await tap(page, "Start third 3");
  await tapGoal(page, "Yellow", "Flash");
  await waiting(page, 5);
  // A goal that was tapped by mistake was not sent yet.
  await tapGoal(page, "Yellow", "Otter");
  await waiting(page, 6);
  await page.locator("#outbox li").last().getByRole("button", { name: "Discard" }).click();
  await waiting(page, 5);
  assert.deepEqual(await goals(gameId), ["1 blue"]);
  await page.context().setOffline(false);
  for (let tries = 0; tries < 100 && (await goals(gameId)).length < 4; tries++) await setTimeout(200);
  assert.deepEqual(await goals(gameId), ["1 blue", "2 red", "2 yellow", "3 yellow"]);
  await tv.getByText("Flash (Red) against Yellow").waitFor();
  await tap(page, "End third 3");
  await tap(page, "Finish the game");
  await tv.getByText("Final").waitFor();
  await page.getByText("The game is finished.").waitFor();
});

test("two phones on one game see each other's goals", async (test) => {
  const path = `/3fc/score/${await newGame()}`;
  const [one, other] = [await openAsCasey(test, path), await openAsCasey(test, path)];
  await other.getByText("Updates by itself").waitFor();
  await tapGoal(one, "Blue", "Flash");
  await other.getByText("Flash (Red) against Blue").waitFor();
  await tapGoal(other, "Yellow", "Otter");
  await one.getByText("Otter (Blue) against Yellow").waitFor();
});

withAndWithoutScripts("a goal of the timeline is corrected and deleted", async (test, settings) => {
  const gameId = await newGame();
  await send(casey, "POST", `/3fc/v1/games/${gameId}/goals/quick`, { concedingTeamId: "blue", scorerPlayerId: PLAYERS.red });
  const page = await openAsCasey(test, `/3fc/score/${gameId}`, settings);
  const edit = page.getByRole("link", { name: "Edit the goal of Flash" });
  await edit.click();
  await page.getByLabel("Minute").fill("12");
  await page.locator("fieldset[id$=concedingTeamId] label", { hasText: "Red" }).click();
  await page.locator("fieldset[id$=scorerPlayerId] label", { hasText: "Wren" }).click();
  await tap(page, "Save the goal");
  await page.getByText("Wren (Yellow) against Red").waitFor();
  const [goal] = (await send(casey, "GET", `/3fc/v1/games/${gameId}/goals`)).goals;
  assert.deepEqual([goal.gameMinute, goal.displayTime, goal.scoringTeamId], [12, "13'", "yellow"]);
  await page.getByRole("link", { name: "Edit the goal of Wren" }).click();
  await tap(page, "Delete the goal");
  await page.getByText("No goal yet.").waitFor();
  assert.deepEqual(await goals(gameId), []);
});

withAndWithoutScripts("an admin gives a role by e-mail address, and takes it away", async (test, settings) => {
  const name = `Roles ${Date.now()}`;
  const { leagueId } = await send(casey, "POST", "/3fc/v1/leagues", { name });
  const page = await openAsCasey(test, `/3fc/manage/leagues/${leagueId}`, settings);
  await page.getByText("Give a role").click();
  await page.getByLabel("E-mail address").fill("pat@demo.example");
  await page.getByLabel("Role").selectOption("scorekeeper");
  await tap(page, "Give the role");
  const row = page.getByRole("listitem").filter({ hasText: "pat@demo.example" });
  await row.getByText("scorekeeper").waitFor();
  await row.getByRole("button", { name: "Take away" }).click();
  await row.waitFor({ state: "detached" });
});

withAndWithoutScripts("a start is entered in the time of the people", async (test, settings) => {
  const gameId = await newGame({ started: false });
  const page = await openAsCasey(test, `/3fc/manage/games/${gameId}`, settings);
  await page.getByText("Start, place and visibility").click();
  const start = page.getByLabel("Start (Australia/Melbourne)");
  assert.match(await start.inputValue(), /^2026-11-15T20:00/);
  await start.fill("2026-11-15T19:30");
  await Promise.all([page.waitForEvent("load"), tap(page, "Save the game")]);
  const game = await send(casey, "GET", `/3fc/v1/games/${gameId}`);
  assert.equal(game.gameStartTs, "2026-11-15T08:30:00.000Z");
  await page.goto(`/3fc/games/${gameId}`);
  await page.getByText("15 November 2026, 19:30").waitFor();
});

withAndWithoutScripts("a player changes the profile and deletes the account", async (test, settings) => {
  const gameId = await newGame();
  const { code } = await send(casey, "POST", `/3fc/v1/games/${gameId}/join-code`);
  const page = await open(test, "/3fc/sign-in", settings);
  await signInByMail(page, `leaves-${Date.now()}@example.org`);
  await page.goto(`/3fc/join/${code}`);
  await page.getByLabel("Nickname").fill("Leaver");
  await page.getByLabel("Keep the player as my own").check();
  await tap(page, "Join");
  await page.waitForURL(`**/3fc/games/${gameId}`);
  await page.goto("/3fc/me");
  const openForm = (title) => page.locator("summary", { hasText: title }).click();
  await openForm("Nickname and avatar");
  await page.getByLabel("Avatar").fill("🦊");
  await Promise.all([page.waitForEvent("load"), tap(page, "Save the profile")]);
  await openForm("Nickname and avatar");
  assert.equal(await page.getByLabel("Avatar").inputValue(), "🦊");
  await openForm("Picture");
  await page.getByLabel("Picture").setInputFiles({ name: "me.gif", mimeType: "image/gif", buffer: PICTURE });
  await Promise.all([page.waitForEvent("load"), tap(page, "Use this picture")]);
  const picture = page.locator("h2 img.avatar");
  assert.equal(await picture.evaluate((image) => image.decode().then(() => image.naturalWidth)), 1);
  await openForm("Remove the picture");
  await Promise.all([page.waitForEvent("load"), tap(page, "Remove the picture")]);
  assert.equal(await picture.count(), 0);
  await page.locator("summary", { hasText: "Delete your account" }).click();
  await tap(page, "Delete your account");
  await page.waitForURL("**/3fc/leagues");
  await page.goto("/3fc/leagues");
  await page.getByRole("link", { name: "Sign in" }).waitFor();
});

test("a magic link signs in once", async (test) => {
  const email = `once-${Date.now()}@example.org`;
  const page = await open(test, "/3fc/sign-in");
  const link = await signInByMail(page, email);
  await page.waitForURL("**/3fc/leagues");
  await page.getByRole("link", { name: email }).waitFor();
  const other = await open(test, link);
  await other.getByText("This link was used already").waitFor();
});

withAndWithoutScripts("somebody joins by a code and enters a team by a tap", async (test, settings) => {
  const gameId = await newGame();
  const manage = await openAsCasey(test, `/3fc/manage/games/${gameId}`, settings);
  await manage.getByRole("button", { name: "Let players join by QR code" }).click();
  await manage.getByRole("img", { name: "QR code to join the game" }).waitFor();
  const guest = await (await newContext(test, settings)).newPage();
  await guest.goto(new URL(manage.url()).pathname);
  const name = `Guest ${Date.now()}`;
  await guest.getByLabel("Nickname").fill(name);
  await guest.getByRole("button", { name: "Join" }).click();
  await guest.waitForURL(`**/3fc/games/${gameId}`);
  await manage.goto(`/3fc/manage/games/${gameId}`);
  const row = manage.getByRole("listitem").filter({ hasText: name });
  await row.getByRole("button", { name: "Yellow" }).click();
  await manage.getByRole("listitem").filter({ hasText: name }).getByRole("button", { name: "Take out" }).waitFor();
});
