// ScavengerHunt: the hunt on phones, and the board, the builder, the codes and the report of organisers.

import assert from "node:assert/strict";
import test from "node:test";
import { looks, newContext, open, origin, send, token, withAndWithoutScripts } from "./pages.js";

const SERVICE = "/scavenger-hunt";
const DEMO = "00000000-0000-4000-8000-000000000001";
const olga = token("olga");
const PHONE = { width: 360, height: 740 };
const PHOTO = {
  name: "duck.gif",
  mimeType: "image/gif",
  buffer: Buffer.from("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==", "base64"),
};

/** Sends a request of an organiser. */
const organise = (method, path, body) => send(olga, method, `${SERVICE}/api${path}`, body);

/** A configuration of two teams and three places. */
const config = (settings) => ({
  name: "Test hunt",
  teams: [{ name: "Herons" }, { name: "Storks" }],
  levels: [1, 2, 3].map((place) => ({
    levelName: `Place ${place}`,
    character: { name: `Duck ${place}`, systemPrompt: "You are a duck." },
    location: { description: "Here", latitude: 48 + place / 1000, longitude: 16 },
    clues: ["It is old.", "It is wet.", "It is loud."],
    easyClues: ["Look up.", "Look down."],
    mapLink: `https://maps.example/${place}`,
  })),
  route_mode: "ordered",
  ...settings,
});

/** Sets up a game, and starts it. */
async function newGame(settings) {
  const { gameId, teams, levels } = await organise("POST", "/games", config(settings));
  await organise("POST", `/games/${gameId}/control`, { action: "start" });
  return { gameId, teams, codes: levels.map((level) => level.code) };
}

const control = (game, action) => organise("POST", `/games/${game.gameId}/control`, { action });
const tap = (page, name) => page.getByRole("button", { name, exact: true }).click();

/** Opens the link of a team's code, and joins the team. */
async function join(test, { teams }, team, name, settings) {
  const page = await open(test, `${SERVICE}/join?code=${teams[team].code}`, { viewport: PHONE, ...settings });
  await page.getByLabel("Your name").fill(name);
  await tap(page, "Join the team");
  await page.getByRole("link", { name: "To the hunt" }).click();
  await page.waitForURL("**/play");
  return page;
}

/** Types the code of a place. */
async function enter(page, code) {
  await page.getByLabel("Code", { exact: true }).fill(code);
  await tap(page, "Check the code");
}

/** Signs in as a demo user on the way to a page. */
const as = (person) => async (page) => {
  const { pathname } = new URL(page.url());
  await page.goto(`${SERVICE}/sign-in?then=${encodeURIComponent(pathname)}`);
  await tap(page, `Sign in as ${person}@demo.example`);
  await page.waitForURL((url) => url.pathname === pathname);
};

/** Opens a page as a demo user. */
async function openAs(test, person, path, settings) {
  const page = await open(test, SERVICE + path, settings);
  await as(person)(page);
  return page;
}

/** Joins a team of the demo on the way to a page. */
const inDemo = (path) => async (page) => {
  const { teams } = await organise("GET", `/games/${DEMO}/links`);
  await page.goto(`${SERVICE}/join?code=${teams[0].code}`);
  await page.getByLabel("Your name").fill("Robin");
  await tap(page, "Join the team");
  await page.getByRole("link", { name: "To the hunt" }).click();
  await page.waitForURL("**/play");
  if (path !== "/play") await page.goto(SERVICE + path);
};

const board = `${SERVICE}/manage/${DEMO}`;
looks("hunt-home", `${SERVICE}/hunt`);
looks("hunt-join", `${SERVICE}/join?code=7K3M9QWX0A1B`);
looks("hunt-enter", `${SERVICE}/enter`);
looks("hunt-play", `${SERVICE}/play`, {
  prepare: async (page) => {
    await inDemo("/play")(page);
    await page.getByLabel("Your message").fill("Where should we look?");
    await tap(page, "Ask");
    await page.locator(".talk .user").waitFor();
  },
});
looks("hunt-scan", `${SERVICE}/scan`, { prepare: inDemo("/scan?code=7K3M9QWX0A1B7K3M9QWX0A1B7K") });
looks("hunt-leaderboard", `${SERVICE}/leaderboard`, { prepare: inDemo("/leaderboard") });
looks("hunt-photos", `${SERVICE}/photos`, { prepare: inDemo("/photos") });
looks("hunt-me", `${SERVICE}/me`, { prepare: inDemo("/me") });
looks("hunt-games", `${SERVICE}/manage`, { prepare: as("olga") });
looks("hunt-new", `${SERVICE}/manage/new`, { prepare: as("olga") });
looks("hunt-board", board, { prepare: as("olga") });
looks("hunt-team", async () => {
  const { teams } = await organise("GET", `/games/${DEMO}/links`);
  return `${board}/teams/${teams[0].teamId}`;
}, { prepare: as("olga") });
looks("hunt-review", `${board}/photos`, { prepare: as("olga") });
looks("hunt-codes", `${board}/codes`, { prepare: as("olga") });
looks("hunt-report", `${board}/report`, { prepare: as("obi") });
looks("hunt-settings", `${board}/settings`, { prepare: as("olga") });
looks("hunt-log", `${board}/log`, { prepare: as("olga") });
looks("hunt-screen", `${SERVICE}/screen/${DEMO}`, { prepare: as("obi") });

withAndWithoutScripts("a player joins, asks, finds a place and photographs it", async (test, settings) => {
  const game = await newGame();
  const page = await join(test, game, 0, "Ada", settings);
  await page.getByText("0 of 3 places found").waitFor();
  await page.getByLabel("Your message").fill("Where is it?");
  await tap(page, "Ask");
  await page.locator(".talk .user").getByText("Where is it?").waitFor();
  assert.equal(await page.locator(".talk .assistant").count(), 2);
  await enter(page, game.codes[2]);
  await page.getByText("this is not the place you are looking for").waitFor();
  await page.goto(`${SERVICE}/play`);
  await enter(page, game.codes[0]);
  await page.getByText("1 of 3 places found").waitFor();
  await page.getByRole("heading", { name: "Duck 2" }).waitFor();
  // The next code counts after the photo.
  await enter(page, game.codes[1]);
  await page.getByText("Take a photo of the place that you have just found first.").waitFor();
  await page.goto(`${SERVICE}/play`);
  await page.getByLabel("Photo", { exact: true }).setInputFiles(PHOTO);
  await tap(page, "Send the photo");
  await page.getByText("Then the next code counts").waitFor({ state: "detached" });
  // The camera of a phone opens the link of the code.
  await page.goto(`${SERVICE}/scan?code=${game.codes[1]}`);
  await tap(page, "Yes, we are here");
  await page.getByText("2 of 3 places found").waitFor();
  await page.goto(`${SERVICE}/photos`);
  await page.getByRole("img", { name: "Photo taken" }).waitFor();
});

test("two phones of one team scan the same code", async (test) => {
  const game = await newGame({ photo_required: false });
  const phones = [await join(test, game, 0, "Ada", {}), await join(test, game, 0, "Bo", {})];
  for (const phone of phones) {
    await phone.getByText("Updates by itself").waitFor();
    await phone.getByLabel("Code", { exact: true }).fill(game.codes[0]);
  }
  await Promise.all(phones.map((phone) => tap(phone, "Check the code")));
  for (const phone of phones) await phone.getByText("1 of 3 places found").waitFor();
  const { events } = await organise("GET", `/events?gameId=${game.gameId}`);
  assert.deepEqual(events.map((event) => event.kind), ["cleared"]);
  // A teammate who scans nothing sees it as well.
  await enter(phones[0], game.codes[1]);
  await phones[1].getByText("2 of 3 places found").waitFor();
  await phones[1].getByRole("heading", { name: "Duck 3" }).waitFor();
});

/** Waits until the list of what was not sent has so many entries. */
const waiting = (page, count) =>
  page.waitForFunction((count) => document.querySelectorAll("#outbox ol li").length === count, count);

test("a code, a photo and a message are kept while the network is cut, and sent in their order", async (test) => {
  const game = await newGame();
  const page = await join(test, game, 0, "Ada", {});
  await page.waitForFunction(() => navigator.serviceWorker.ready.then(() => true));
  await page.context().setOffline(true);
  await enter(page, game.codes[0]);
  await waiting(page, 1);
  await page.getByLabel("Photo", { exact: true }).setInputFiles(PHOTO);
  await tap(page, "Send the photo");
  await waiting(page, 2);
  // The page is loaded again without a network.
  await page.reload();
  await page.getByRole("heading", { name: "Herons" }).waitFor();
  await waiting(page, 2);
  await page.getByLabel("Your message").fill("Are we right?");
  await tap(page, "Ask");
  await waiting(page, 3);
  await page.context().setOffline(false);
  await page.getByText("1 of 3 places found").waitFor();
  await waiting(page, 0);
  await page.locator(".talk .user").getByText("Are we right?").waitFor();
  await page.getByText("Then the next code counts").waitFor({ state: "detached" });
  const { photos } = await organise("GET", `/games/${game.gameId}/photos`);
  assert.equal(photos.length, 1);
  // With a network, a refused code is not kept.
  await enter(page, game.codes[2]);
  await page.getByText("this is not the place you are looking for").waitFor();
  await waiting(page, 0);
});

test("the last place is photographed after the end", async (test) => {
  const game = await newGame();
  const page = await join(test, game, 0, "Ada", { script: false });
  for (const [place, code] of game.codes.entries()) {
    await enter(page, code);
    await page.getByText(`${place + 1} of 3 places found`).waitFor();
    await page.getByLabel("Photo", { exact: true }).setInputFiles(PHOTO);
    await tap(page, "Send the photo");
    await page.getByText("that you have just found").waitFor({ state: "detached" });
  }
  await page.getByText("You have won!").waitFor();
  assert.equal(await page.getByRole("button", { name: "Send the photo" }).count(), 0);
});

test("an organiser pauses the game, and the times of players shift", async (test) => {
  const game = await newGame();
  const player = await join(test, game, 0, "Ada", {});
  const due = async () => {
    const times = await player.locator("[data-until]").evaluateAll((all) => all.map((one) => Date.parse(one.dataset.until)));
    assert.equal(times.length, 2);
    return times;
  };
  const before = await due();
  const page = await openAs(test, "olga", `/manage/${game.gameId}`);
  await tap(page, "Pause the game");
  await player.getByText("The hunt is paused.").waitFor();
  assert.equal(await player.locator("[data-until], [data-since]").count(), 0);
  await enter(player, game.codes[0]);
  await player.getByText("Your time stands still, too.").last().waitFor();
  await tap(page, "Go on");
  await player.locator(".notice.warn").waitFor({ state: "detached" });
  await player.locator("[data-until]").first().waitFor();
  const { totalPausedMs } = await organise("GET", `/games/${game.gameId}`);
  assert(totalPausedMs > 0);
  const shifted = (await due()).map((time, at) => time - before[at]);
  // The page has the times in milliseconds.
  assert.deepEqual(shifted, [totalPausedMs, totalPausedMs]);
});

test("the code of a place is read from a photo", async (test) => {
  const game = await newGame();
  const sheet = await openAs(test, "olga", `/manage/${game.gameId}/codes`);
  const jpeg = await sheet.getByRole("img", { name: "QR code of Place 1" }).screenshot({ type: "jpeg" });
  const page = await join(test, game, 0, "Ada", { script: false });
  const choose = async (buffer) => {
    await page.getByText("Read the code from a photo").click();
    await page.getByLabel("Photo of the code").setInputFiles({ name: "code.jpg", mimeType: "image/jpeg", buffer });
    await tap(page, "Read the photo");
  };
  await choose(await sheet.getByRole("heading", { name: "Place 1" }).screenshot({ type: "jpeg" }));
  await page.getByText("No code was found in the photo.").waitFor();
  await page.goto(`${SERVICE}/play`);
  await choose(jpeg);
  await page.getByText("1 of 3 places found").waitFor();
});

withAndWithoutScripts("a configuration with errors is refused with all of them, and the right one is set up", async (test, settings) => {
  const page = await openAs(test, "olga", "/manage/new", settings);
  const wrong = config();
  wrong.levels[0].clues = ["One."];
  wrong.levels[1].location.latitude = 91;
  delete wrong.teams[1].name;
  await page.getByLabel("Or its text").fill(JSON.stringify(wrong));
  await tap(page, "Set up the game");
  await page.getByRole("alert").first().waitFor();
  const alerts = (await page.getByRole("alert").allTextContents()).map((text) => text.split(":")[0]);
  assert.deepEqual(alerts.sort(), ["levels.0.clues", "levels.1.location.latitude", "teams.1.name"]);
  await page.getByLabel("Configuration file").setInputFiles({
    name: "game.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify(config({ name: `Browser hunt ${Date.now()}` }))),
  });
  await tap(page, "Send");
  await page.getByRole("heading", { name: "Codes of Browser hunt" }).waitFor();
  assert.equal(await page.getByRole("img", { name: /^QR code/ }).count(), 5);
  await page.getByRole("link", { name: "Board" }).click();
  await tap(page, "Start the game");
  await page.getByText("Running", { exact: true }).waitFor();
});

withAndWithoutScripts("an organiser reviews a photo, gives points, writes to players and skips a place", async (test, settings) => {
  const game = await newGame();
  const player = await join(test, game, 0, "Ada", settings);
  await enter(player, game.codes[0]);
  await player.getByText("1 of 3 places found").waitFor();
  await player.getByLabel("Photo", { exact: true }).setInputFiles(PHOTO);
  await tap(player, "Send the photo");
  await player.getByText("Then the next code counts").waitFor({ state: "detached" });
  const path = `/manage/${game.gameId}`;
  const page = await openAs(test, "olga", path, settings);
  await page.getByRole("link", { name: "1 photo to review" }).click();
  await page.getByText("Give points for it").click();
  await page.getByLabel("Points").fill("15");
  await tap(page, "Approve with points");
  await page.getByText("No photo here.").waitFor();
  await page.goto(SERVICE + path);
  await page.locator(".ranks li").first().getByText("115").waitFor();
  await page.getByText("Write to players").click();
  await page.getByLabel("Text").fill("Come back at five.");
  const loaded = page.waitForEvent("load");
  await tap(page, "Send to players");
  await loaded;
  await page.goto(`${SERVICE + path}/teams/${game.teams[0].teamId}`);
  await page.getByText("Come back at five.").first().waitFor();
  await page.getByRole("listitem").filter({ hasText: "looks for it" }).getByRole("button", { name: "Skip" }).click();
  await page.getByText("skipped", { exact: false }).first().waitFor();
  await player.goto(`${SERVICE}/play`);
  await player.getByText("2 of 3 places found").waitFor();
  await page.goto(`${SERVICE + path}/report`);
  await page.getByRole("cell", { name: "skipped" }).waitFor();
});

test("an observer watches with a token, and controls nothing", async (test) => {
  const game = await newGame();
  const page = await openAs(test, "olga", `/manage/${game.gameId}/settings`, { script: false });
  await page.getByText("Make a token").first().click();
  await page.getByLabel("Role").selectOption("observer");
  await tap(page, "Make a token");
  const shown = await page.locator(".typed").textContent();
  const observer = await open(test, `${SERVICE}/enter?token=${shown}`);
  await tap(observer, "Sign in");
  await observer.getByRole("link", { name: "Your games" }).click();
  await observer.getByRole("link", { name: "Test hunt" }).click();
  await observer.getByRole("heading", { name: "Test hunt" }).waitFor();
  assert.equal(await observer.getByRole("button").count(), 0);
  for (const path of ["codes", "settings", "log"]) {
    const response = await observer.goto(`${SERVICE}/manage/${game.gameId}/${path}`);
    assert.equal(response.status(), 403, path);
  }
});

test("a position that a player shares is on the map", async (test) => {
  const game = await newGame();
  const geolocation = { latitude: 48.0021, longitude: 16.0012 };
  const player = await join(test, game, 0, "Ada", { geolocation, permissions: ["geolocation"] });
  const page = await openAs(test, "olga", `/manage/${game.gameId}`);
  assert.equal(await page.locator(".map .player").count(), 0);
  await tap(player, "Share your position");
  await player.getByText("Position shared").waitFor();
  await page.locator(".map .player").waitFor();
  assert.equal(await page.locator(".map .player title").textContent(), "Ada, Herons");
  await tap(player, "Position shared. Stop");
  await player.getByRole("button", { name: "Share your position" }).waitFor();
});

test("ScavengerHunt's texts stay texts", async (test) => {
  const hostile = "<img src=x onerror=alert(1)>";
  const settings = config({ name: hostile });
  settings.teams[0].name = hostile;
  for (const level of settings.levels) {
    level.levelName = level.character.name = level.location.description = hostile;
    level.clues.fill(hostile);
  }
  const { gameId, teams, levels } = await organise("POST", "/games", { ...settings, description: hostile });
  const game = { gameId, teams, codes: levels.map((level) => level.code) };
  await control(game, "start");
  const page = await join(test, game, 0, hostile.slice(0, 30), {});
  await page.getByLabel("Your message").fill(hostile);
  await tap(page, "Ask");
  await page.locator(".talk .user").waitFor();
  const organiser = await openAs(test, "olga", `/manage/${gameId}`);
  await organise("POST", `/games/${gameId}/broadcast`, { text: hostile });
  await organise("POST", `/games/${gameId}/adjust`, { teamId: teams[0].teamId, points: 1, reason: hostile });
  /** Checks that a page shows the text at least so often, and no picture that it names. */
  const check = async (shownOn, path, least) => {
    await shownOn.goto(SERVICE + path);
    const shown = await shownOn.evaluate(() => document.body.innerText);
    const count = shown.split(hostile).length - 1;
    assert(count >= least, `${path} shows it ${count} times instead of ${least}`);
    assert.equal(await shownOn.locator("img[src=x]").count(), 0, path);
  };
  // Names of the game, the team and the character; what was asked, answered, and written by organisers.
  await check(page, "/play", 5);
  await check(page, "/leaderboard", 2);
  await check(page, "/me", 2);
  await check(organiser, "/manage", 1);
  const path = `/manage/${gameId}`;
  await check(organiser, path, 2);
  await check(organiser, `${path}/teams/${teams[0].teamId}`, 5);
  await check(organiser, `${path}/codes`, 5);
  await check(organiser, `${path}/report`, 5);
  await check(organiser, `${path}/log`, 1);
  await check(organiser, `/screen/${gameId}`, 2);
});
