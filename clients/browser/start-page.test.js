// The page at `/`: what runs here, and the way to it.

import assert from "node:assert/strict";
import { looks, open, withAndWithoutScripts } from "./pages.js";

looks("start", "/");
for (const page of ["hacktracker/my-games", "btl-run/my-matches"]) {
  const [service, name] = page.split("/");
  looks(name, `/${service}/sign-in`, {
    prepare: async (shown) => {
      await shown.getByRole("button", { name: "Sign in as casey@demo.example" }).click();
      await shown.waitForURL(`**/${page}`);
    },
  });
}

withAndWithoutScripts("it leads to the documentation of every service", async (test, settings) => {
  const page = await open(test, "/", settings);
  for (const [service, title] of [["hacktracker", "HackTracker API"], ["btl-run", "btl.run API"], ["3fc", "3FC API"]]) {
    await page.goto("/");
    await page.locator(`.card a[href="/${service}/docs"]`).click();
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    assert.equal(new URL(page.url()).pathname, `/${service}/docs`);
  }
});

withAndWithoutScripts("it lists the tables with their sizes", async (test, settings) => {
  const page = await open(test, "/", settings);
  for (const table of ["hacktracker-dev", "btlrun_kv", "3fc-dev-app"]) {
    const row = page.getByRole("row", { name: table });
    const [, items, size] = await row.getByRole("cell").allTextContents();
    assert(Number(items) > 0, `${table} has ${items} items`);
    assert.match(size, /^\d+(\.\d)? K?B$/);
  }
  await page.getByText("Ready.").waitFor();
});

/** Opens a service from the start page, and signs in as a demo user on the way. */
async function openService(test, settings, title, user) {
  const page = await open(test, "/", settings);
  await page.locator(".card", { hasText: title }).getByRole("link", { name: "Open", exact: true }).click();
  await page.getByRole("link", { name: "Sign in" }).last().click();
  await page.getByRole("button", { name: `Sign in as ${user}@demo.example` }).click();
  return page;
}

withAndWithoutScripts("it leads to a game that is played now, and to its share link", async (test, settings) => {
  const page = await openService(test, settings, "HackTracker", "sam");
  await page.getByRole("heading", { name: "Your games" }).waitFor();
  const game = page.getByRole("listitem").filter({ hasText: "Bay Breakers" });
  await game.getByRole("link", { name: "Record plays" }).click();
  await page.getByRole("button", { name: "Record" }).waitFor();
  await page.goBack();
  await game.getByRole("button", { name: "Share it live" }).click();
  await page.getByRole("heading", { name: "Play by play" }).waitFor();
});

withAndWithoutScripts("players can't share a game, and record nothing", async (test, settings) => {
  const page = await openService(test, settings, "HackTracker", "pat");
  await page.getByRole("listitem").filter({ hasText: "Bay Breakers" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Record plays" }).count(), 0);
  assert.equal(await page.getByRole("button", { name: "Share it live" }).count(), 0);
});

withAndWithoutScripts("it leads to the story of a match", async (test, settings) => {
  const page = await openService(test, settings, "btl.run", "sam");
  await page.getByRole("heading", { name: "Your matches" }).waitFor();
  await page.getByRole("link", { name: "Read the story" }).first().click();
  await page.getByRole("heading", { name: "The story of" }).waitFor();
});
