// The page at `/`: what runs here, and the way to it.

import assert from "node:assert/strict";
import { looks, open, withAndWithoutScripts } from "./pages.js";

looks("start", "/");

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
