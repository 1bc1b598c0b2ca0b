// CodeKurukshetra: registration and payment, the team, the desk at the entrance, judging, and the organisers' board.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import test from "node:test";
import { setTimeout } from "node:timers/promises";
import { chromium } from "playwright-core";
import { looks, mailedLink, newContext, open, origin, send, token, withAndWithoutScripts } from "./pages.js";

const SERVICE = "/codekurukshetra";
const API = `${SERVICE}/hackathon`;

/** The data of a response of the API. */
const ask = async (person, method, path, body) => (await send(token(person), method, API + path, body)).data;

/** The team of a person. */
const teamOf = async (person) => (await ask(person, "GET", "/me")).team;

/** The code that a member of a person's team shows at the entrance, and the way to the certificate. */
async function ticketOf(person, position) {
  const { participant_id } = (await teamOf(person)).members[position];
  return ask("desk", "GET", `/participant/${participant_id}/ticket`);
}

/** Returns what signs in as a demo user on the way to a page. */
const as = (person) => async (page) => {
  const { pathname } = new URL(page.url());
  await page.getByRole("link", { name: "Sign in" }).last().click();
  await page.getByRole("button", { name: `Sign in as ${person}@demo.example` }).click();
  await page.waitForURL((url) => url.pathname === pathname);
};

/** Opens a page, and signs in on the way. */
async function openAs(test, person, path, settings) {
  const page = await open(test, SERVICE + path, settings);
  await as(person)(page);
  return page;
}

/** Opens a page as somebody new, who signs in with a link from an e-mail. */
async function openAsNew(test, email, path, settings) {
  const page = await open(test, `${SERVICE}/sign-in`, settings);
  await page.getByLabel("Email").fill(email);
  await tap(page, "Send the link");
  await page.getByRole("heading", { name: "Check your e-mail" }).waitFor();
  await page.goto(mailedLink(email));
  await tap(page, "Sign in");
  await page.waitForURL((url) => !url.pathname.includes("/sign-in"));
  await page.goto(SERVICE + path);
  return page;
}

const tap = (page, name) => page.getByRole("button", { name, exact: true }).click();

/** Fills in what a member of a team enters. */
async function fillMember(page, title, name, email) {
  const group = page.getByRole("group", { name: title, exact: true });
  if (email) await group.getByLabel("Email").fill(email);
  await group.getByLabel("First name").fill(name);
  await group.getByLabel("Last name").fill("Rao");
  await group.getByLabel("Phone").fill("9876543210");
  await group.getByLabel("College").fill("Example University");
  await group.getByLabel("Year").selectOption({ index: 3 });
}

/** A name that no other team has. */
const unique = (name) => `${name} ${Date.now() % 1e8}`;

/** Registers a team of two on the page of the registration, and returns its name. */
async function register(page, name) {
  const address = `${name.replaceAll(" ", "-").toLowerCase()}-2@example.org`;
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Track").selectOption("ai-ml");
  await fillMember(page, "You, the leader", "Asha");
  await fillMember(page, "Member 2", "Bo", address);
  await tap(page, "Register the team");
  await page.getByRole("heading", { name: "Waiting for the payment" }).waitFor();
}

const address = (name) => `${name.replaceAll(" ", "-").toLowerCase()}@example.org`;

/** Pays on the page of the simulated gateway, and comes back. */
async function payAndReturn(page) {
  await tap(page, "Pay ₹999");
  await tap(page, "Pay");
  await tap(page, "Back to the event");
  await page.getByText("your team is confirmed").waitFor();
}

looks("hackathon-home", `${SERVICE}/event`);
looks("hackathon-register", `${SERVICE}/register`, { prepare: as("jaya") });
looks("hackathon-join", `${SERVICE}/join`, { prepare: as("jaya") });
looks("hackathon-pay", `${SERVICE}/pay`, { prepare: as("ravi") });
looks("hackathon-pay-failed", `${SERVICE}/pay`, { prepare: as("meera") });
looks("hackathon-paid", `${SERVICE}/pay`, { prepare: as("asha") });
looks("hackathon-gateway", async () => `${SERVICE}/gateway/orders/${(await teamOf("ravi")).payment_order_id}`);
looks("hackathon-receipt", `${SERVICE}/receipt`, { prepare: as("asha") });
looks("hackathon-team", `${SERVICE}/team`, { prepare: as("asha") });
looks("hackathon-team-open", `${SERVICE}/team`, {
  prepare: async (page) => {
    await as("ravi")(page);
    for (const text of ["Invite somebody", "Add somebody yourself", "Name and track"]) await page.getByText(text).click();
  },
});
looks("hackathon-no-team", `${SERVICE}/team`, { prepare: as("jaya") });
looks("hackathon-invite", `${SERVICE}/team/invite`, {
  prepare: async (page) => {
    await as("ravi")(page);
    await page.goto(`${SERVICE}/team/invite?code=0199a5c2-7d3e-7b1a-8c4d-000000000001.AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8`);
  },
});
looks("hackathon-profile", `${SERVICE}/profile`, { prepare: as("asha") });
looks("hackathon-tickets", `${SERVICE}/tickets`, { prepare: as("asha") });
looks("hackathon-submit", `${SERVICE}/submit`, { prepare: as("zoya") });
looks("hackathon-organise", `${SERVICE}/organise`, { prepare: as("desk") });
looks("hackathon-organise-team", async () => `${SERVICE}/organise/teams/${(await teamOf("asha")).team_id}`, { prepare: as("desk") });
looks("hackathon-settings", `${SERVICE}/organise/settings`, { prepare: as("desk") });
looks("hackathon-log", `${SERVICE}/organise/log`, { prepare: as("desk") });

withAndWithoutScripts("a team registers, pays at the gateway and comes back", async (test, settings) => {
  const name = unique("Monsoon");
  const page = await openAsNew(test, address(name), "/register", settings);
  await register(page, name);
  await payAndReturn(page);
  await page.getByRole("link", { name: "To your team" }).click();
  await page.getByRole("heading", { name }).waitFor();
  await page.getByText("Confirmed", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Receipt" }).click();
  await page.getByText("₹999", { exact: true }).waitFor();
});

test("a tab that is closed in the middle loses nothing", async (test) => {
  const name = unique("Closed Tab");
  const page = await openAsNew(test, address(name), "/register");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await fillMember(page, "Member 2", "Bo", "typed@example.org");
  const context = page.context();
  const again = async (path) => {
    const next = await context.newPage();
    await next.goto(SERVICE + path);
    return next;
  };
  await page.close();
  // What was typed is still there.
  const second = await again("/register");
  assert.equal(await second.getByLabel("Name", { exact: true }).inputValue(), name);
  const group = second.getByRole("group", { name: "Member 2" });
  assert.equal(await group.getByLabel("Email").inputValue(), "typed@example.org");
  await register(second, name);
  assert.equal(await second.evaluate(() => localStorage.length), 0, "the draft is gone");
  await tap(second, "Pay ₹999");
  await second.getByRole("button", { name: "Pay", exact: true }).waitFor();
  await second.close();
  // Nothing was paid, and the same order is paid at the next try: the bank declines first.
  const third = await again("/pay");
  await tap(third, "Pay ₹999");
  await tap(third, "Let the bank decline");
  await third.locator(".notice.bad").first().waitFor();
  await third.close();
  const fourth = await again("/pay");
  await fourth.getByText("The last payment failed.").waitFor();
  await tap(fourth, "Pay ₹999");
  await tap(fourth, "Pay");
  await fourth.getByRole("button", { name: "Back to the event" }).waitFor();
  // The browser never comes back; the gateway has reported the payment.
  await fourth.close();
  const fifth = await again("/pay");
  await fifth.getByRole("heading", { name: "Confirmed" }).waitFor();
});

test("an organiser returns the money of a team", async (test) => {
  const name = unique("Refunded");
  const leader = await openAsNew(test, address(name), "/register");
  await register(leader, name);
  const board = await openAs(test, "desk", "/organise");
  await board.getByText("Updates by itself").waitFor();
  await payAndReturn(leader);
  await board.getByLabel("Payment").selectOption("paid");
  await board.getByLabel("Track").selectOption("ai-ml");
  await tap(board, "Show");
  await board.getByRole("link", { name }).click();
  await board.getByText("Refund", { exact: true }).click();
  await board.getByLabel("Reason").fill("The team can't come.");
  const loaded = board.waitForEvent("load");
  await tap(board, "Return the money");
  await loaded;
  for (let tries = 0; tries < 50 && !(await board.getByText("Refunded", { exact: true }).count()); tries++) {
    await setTimeout(200);
    await board.reload();
  }
  await board.getByText("Let the members register again").waitFor();
  await leader.goto(`${SERVICE}/pay`);
  await leader.getByText("The fee of ₹999 was returned.").waitFor();
});

withAndWithoutScripts("the leader invites somebody, who joins by the code", async (test, settings) => {
  const lead = await openAs(test, "ravi", "/team", settings);
  await lead.getByText("Invite somebody").click();
  await tap(lead, "Make an invitation");
  await lead.getByRole("img", { name: "QR code to join the team" }).waitFor();
  const link = await lead.getByRole("link", { name: "/join?code=" }).getAttribute("href");
  const name = unique("Guest").replace(/\d/g, (digit) => "abcdefghij"[digit]);
  const guest = await openAsNew(test, address(name), "/join", settings);
  await guest.goto(link);
  for (const [label, text] of [["First name", name.split(" ")[1]], ["Last name", "Guest"], ["Phone", "9876543210"], ["College", "Example University"]]) {
    await guest.getByLabel(label).fill(text);
  }
  await guest.getByLabel("Year").selectOption({ index: 2 });
  await tap(guest, "Join the team");
  await guest.getByRole("heading", { name: "Null Pointers" }).waitFor();
  // There is room for the next guest again.
  await lead.goto(`${SERVICE}/team`);
  const row = lead.getByRole("listitem").filter({ hasText: name.split(" ")[1] });
  await row.getByRole("button", { name: "Remove" }).click();
  await row.waitFor({ state: "detached" });
});

/** Waits until the list of what was not sent has so many acts. */
const waiting = (page, count) =>
  page.waitForFunction((count) => document.querySelectorAll("#outbox ol li").length === count, count);

test("the desk checks in twice, and goes on without a network", async (test) => {
  const [first, second] = [await ticketOf("asha", 1), await ticketOf("asha", 2)];
  const desk = await openAs(test, "desk", "/check-in");
  const other = await openAs(test, "desk", "/check-in");
  await other.getByText("Updates by itself").waitFor();
  await desk.getByText("Updates by itself").waitFor();
  await desk.getByLabel("Code").fill(first.code.toLowerCase());
  await tap(desk, "Check in");
  await desk.locator("#arrived").getByText(first.name).waitFor();
  // The other desk sees it by itself.
  await other.locator("#arrived").getByText(first.name).waitFor();
  await other.getByLabel("Code").fill(first.code);
  await tap(other, "Check in");
  await other.locator("#outbox").getByText(`${first.name} of Code Warriors arrived already`).waitFor();
  await other.getByRole("button", { name: "Discard" }).click();
  await waiting(other, 0);
  await desk.evaluate(() => navigator.serviceWorker.ready);
  await desk.context().setOffline(true);
  await desk.getByLabel("Code").fill(second.code);
  await tap(desk, "Check in");
  await waiting(desk, 1);
  await desk.reload();
  await waiting(desk, 1);
  await desk.context().setOffline(false);
  await desk.locator("#arrived").getByText(second.name).waitFor();
  const certificate = await open(test, (await ticketOf("asha", 1)).certificate_url.replace(/^https?:..[^/]+/, ""));
  await certificate.getByText("Certificate of participation").waitFor();
  await certificate.getByText(first.name).first().waitFor();
});

test("a code of a QR code is checked in without JavaScript, and a second scan is shown", async (test) => {
  const { code, name } = await ticketOf("zoya", 1);
  const desk = await openAs(test, "desk", "/check-in", { script: false });
  // The camera of a phone opens the link of the QR code.
  await desk.goto(`${SERVICE}/check-in?code=${code}`);
  await tap(desk, "Check in");
  await desk.locator("#arrived").getByText(name).waitFor();
  await desk.goto(`${SERVICE}/check-in?code=${code}`);
  await tap(desk, "Check in");
  await desk.getByText(`${name} of Green Grid arrived already`).waitFor();
});

/** Returns the brightness of what is drawn on 640 × 480 pixels. Runs in the browser. */
function brightness(draw) {
  const context = Object.assign(document.createElement("canvas"), { width: 640, height: 480 }).getContext("2d");
  draw(context);
  const { data } = context.getImageData(0, 0, 640, 480);
  return Array.from({ length: 640 * 480 }, (_, at) => data[4 * at]);
}

/** Returns the brightness of what a camera sees in front of a picture. */
async function filmed(page, picture) {
  await page.addInitScript(`globalThis.brightness = ${brightness}`);
  await page.goto("/");
  return page.evaluate(async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    return globalThis.brightness((context) => {
      context.fillStyle = "white";
      context.fillRect(0, 0, 640, 480);
      context.drawImage(image, 140, 60, 360, 360);
    });
  }, `data:image/png;base64,${picture.toString("base64")}`);
}

test("the camera reads the code of a ticket", async (test) => {
  const { code, name } = await ticketOf("zoya", 3);
  const tickets = await openAs(test, "zoya", "/tickets");
  const picture = await tickets.getByRole("img", { name: `QR code of ${name}` }).screenshot();
  const pixels = await filmed(await (await newContext(test)).newPage(), picture);
  const film = `${process.env.MONOTABLE_BROWSER}/camera.y4m`;
  const grey = Buffer.alloc(2 * 320 * 240, 128);
  writeFileSync(film, Buffer.concat([Buffer.from("YUV4MPEG2 W640 H480 F10:1 Ip A1:1 C420jpeg\nFRAME\n"), Buffer.from(pixels), grey]));
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream", `--use-file-for-fake-video-capture=${film}`],
  });
  test.after(() => browser.close());
  const desk = await (await browser.newContext({ baseURL: origin, permissions: ["camera"] })).newPage();
  // Browsers of phones detect codes; Chromium on Linux can't. This detector knows one picture.
  await desk.addInitScript(`globalThis.brightness = ${brightness}`);
  await desk.addInitScript(
    ([code, pixels]) => {
      window.BarcodeDetector = class {
        async detect(video) {
          const seen = globalThis.brightness((context) => context.drawImage(video, 0, 0, 640, 480));
          const difference = pixels.reduce((sum, value, at) => sum + Math.abs(value - seen[at]), 0) / pixels.length;
          return difference < 16 ? [{ rawValue: `https://example.org/codekurukshetra/check-in?code=${code}` }] : [];
        }
      };
    },
    [code, pixels],
  );
  await desk.goto(`${SERVICE}/check-in`);
  await as("desk")(desk);
  await tap(desk, "Scan with the camera");
  await desk.locator("#arrived").getByText(name).waitFor();
});

looks("hackathon-check-in", `${SERVICE}/check-in`, { prepare: as("desk") });
looks("hackathon-certificate", async () => (await ticketOf("asha", 1)).certificate_url.replace(/^https?:..[^/]+/, ""));

withAndWithoutScripts("a team hands in its work, and a judge scores it by taps", async (test, settings) => {
  const title = unique("Flood Watch");
  const team = await openAs(test, "zoya", "/submit", settings);
  await team.getByLabel("Title").fill(title);
  await team.getByLabel("Description").fill("Warns farmers of floods by text message.");
  await team.getByLabel("Link to the work").fill("https://github.com/example/flood-watch");
  await tap(team, "Hand it in");
  await team.getByText("Handed in").waitFor();
  const organiser = await openAs(test, "desk", "/organise/judging", settings);
  const { account_id } = await ask("jaya", "GET", "/me");
  await organiser.getByLabel("Judge").fill(account_id);
  await tap(organiser, "Show the teams of this judge");
  const give = organiser.getByRole("button", { name: "Give these teams" });
  if (await give.count()) {
    for (const choice of await organiser.locator("fieldset[id$=team_ids] label").all()) await choice.click();
    await give.click();
  }
  await organiser.getByRole("listitem").filter({ hasText: "Green Grid" }).waitFor();
  const judge = await openAs(test, "jaya", "/judge", settings);
  await judge.getByRole("link", { name: "Green Grid" }).click();
  await judge.getByText(title).waitFor();
  for (const [criterion, points] of [["Innovation", 9], ["Execution", 8], ["Impact", 10], ["Presentation", 7]]) {
    const group = judge.getByRole("group", { name: criterion }).first();
    await group.locator("label").filter({ hasText: new RegExp(`^\\s*${points}$`) }).click();
  }
  await tap(judge, "Save the score");
  await judge.getByRole("listitem").filter({ hasText: "Green Grid" }).getByText("scored").waitFor();
  await organiser.goto(`${SERVICE}/organise/judging`);
  const row = organiser.getByRole("row").filter({ hasText: "Green Grid" });
  await row.getByRole("cell", { name: "8.5" }).waitFor();
});

looks("hackathon-judge", `${SERVICE}/judge`, { prepare: as("jaya") });
looks("hackathon-judge-team", async () => `${SERVICE}/judge/${(await teamOf("zoya")).team_id}`, { prepare: as("jaya") });
looks("hackathon-judging", `${SERVICE}/organise/judging`, { prepare: as("desk") });
