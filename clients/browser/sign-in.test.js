// Sign-in: links by e-mail and printed links, sessions and their end, and what other sites can't do.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { foreignPage, greeting, looks, mailedLink, newContext, open, origin, signInAs, withAndWithoutScripts } from "./pages.js";

const SIGN_IN = "/hacktracker/sign-in";
const ACCOUNT = "/hacktracker/account";

/** The link that the server printed for a person of the demo. */
function printedLink(service, user) {
  const found = greeting.match(new RegExp(`^  demo-${user} +(\\S+/${service}/sign-in/\\S+)$`, "m"));
  assert(found, `no link of ${user} to ${service} in ${greeting}`);
  return found[1];
}

/** Opens a page in a context, and returns its status and its text. */
async function visit(context, path) {
  const page = await context.newPage();
  const response = await page.goto(path);
  const text = await page.locator("main").innerText();
  await page.close();
  return `${response.status()} ${text}`;
}

const session = async (context) =>
  (await context.cookies()).find((cookie) => cookie.name === "hacktracker-session");

looks("sign-in", SIGN_IN);
looks("sign-in-link", () => printedLink("hacktracker", "pat"));
looks("account", SIGN_IN, { prepare: (page) => signInAs(page, "casey", ACCOUNT) });
looks("sign-in-first", ACCOUNT);

withAndWithoutScripts("a link that arrives by e-mail signs in once", async (test, { script }) => {
  const email = `ann-${script ? "with" : "without"}@example.org`;
  const page = await open(test, `${SIGN_IN}?then=${encodeURIComponent(ACCOUNT)}`, { script });
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await page.getByRole("heading", { name: "Check your e-mail" }).waitFor();
  const link = mailedLink(email);
  await page.goto(link);
  await page.getByText(`You sign in as ${email}.`).waitFor();
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Account" }).waitFor();
  assert.equal(new URL(page.url()).pathname, ACCOUNT);
  await page.getByRole("navigation", { name: "Account" }).getByText(email).waitFor();
  assert.match(await visit(page.context(), link), /^404 [^]*This link was used already/);
});

withAndWithoutScripts("a wrong address is shown beside its field", async (test, settings) => {
  const page = await open(test, SIGN_IN, settings);
  await page.getByLabel("Email").fill("ann@example");
  await page.getByRole("button", { name: "Send the link" }).click();
  await page.getByText("must be an e-mail address such as ann@example.org").waitFor();
  const field = page.getByLabel("Email");
  assert.equal(await field.getAttribute("aria-invalid"), "true");
  assert.equal(await field.inputValue(), "ann@example");
});

for (const [service, heading] of [["hacktracker", "Your games"], ["btl-run", "Your matches"]]) {
  const people = { with: "casey", without: "drew" };
  withAndWithoutScripts(`a printed link of ${service} signs in once`, async (test, { script }) => {
    const user = people[script ? "with" : "without"];
    const link = printedLink(service, user);
    const page = await open(test, link, { script });
    // Looking at it, as programs that check links do, does not use it.
    await page.reload();
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    assert.match(await visit(page.context(), `/${service}/account`), new RegExp(`^200 [^]*${user}@demo.example`));
    const other = await newContext(test, { script });
    assert.match(await visit(other, link), /^404 [^]*This link was used already/);
  });
}

test("a session works for requests of the documentation page, those that change something too", async (test) => {
  const page = await open(test, SIGN_IN);
  await signInAs(page, "casey", "/hacktracker/docs");
  await page.goto("/hacktracker/docs#createTeam");
  await page.getByRole("link", { name: "Account" }).waitFor();
  const form = page.locator("#createTeam form");
  await form.getByLabel("Body").fill('{"name": "Made in a session", "team_type": "MANAGED"}');
  await form.getByRole("button", { name: "Send request" }).click();
  await form.getByText("201 Created").waitFor();
});

withAndWithoutScripts("signing out ends the session, and the page asks to sign in", async (test, settings) => {
  const page = await open(test, SIGN_IN, settings);
  await signInAs(page, "casey", ACCOUNT);
  const stolen = await session(page.context());
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.getByRole("heading", { name: "Sign in to HackTracker" }).waitFor();
  assert.match(await visit(page.context(), ACCOUNT), /^401 Sign in first/);
  // The session itself has ended, not only the cookie.
  await page.context().addCookies([stolen]);
  assert.match(await visit(page.context(), ACCOUNT), /^401 Sign in first/);
  await page.goto(ACCOUNT);
  await page.getByRole("link", { name: "Sign in" }).first().click();
  await page.getByRole("button", { name: "Sign in as sam@demo.example" }).waitFor();
});

test("signing out everywhere ends the sessions of all devices", async (test) => {
  const [phone, desktop] = [await open(test, SIGN_IN), await open(test, SIGN_IN)];
  await signInAs(phone, "sam", ACCOUNT);
  await signInAs(desktop, "sam", ACCOUNT);
  const other = await open(test, SIGN_IN);
  await signInAs(other, "drew", ACCOUNT);
  await desktop.getByRole("button", { name: "Sign out everywhere" }).click();
  await desktop.getByRole("heading", { name: "Sign in to HackTracker" }).waitFor();
  assert.match(await visit(phone.context(), ACCOUNT), /^401 Sign in first/);
  assert.match(await visit(other.context(), ACCOUNT), /^200 Account/);
});

test("a session that somebody else has chosen is not taken over", async (test) => {
  const attacker = await open(test, SIGN_IN);
  await signInAs(attacker, "pat", ACCOUNT);
  const planted = await session(attacker.context());
  const victim = await newContext(test);
  await victim.addCookies([planted]);
  const page = await victim.newPage();
  await page.goto(printedLink("hacktracker", "sam"));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Your games" }).waitFor();
  assert.match(await visit(victim, ACCOUNT), /^200 [^]*sam@demo.example/);
  assert.notEqual((await session(victim)).value, planted.value);
  assert.match(await visit(attacker.context(), ACCOUNT), /^401 Sign in first/);
  // Nor does a value become a session because a browser brings it.
  const made = await newContext(test);
  await made.addCookies([{ ...planted, value: planted.value.replace(/.$/, "x") }]);
  assert.match(await visit(made, ACCOUNT), /^401 Sign in first/);
});

test("scripts can't read the session, and no other site gets it", async (test) => {
  const page = await open(test, SIGN_IN);
  await signInAs(page, "casey", ACCOUNT);
  const cookie = await session(page.context());
  const { httpOnly, sameSite, path } = cookie;
  assert.deepEqual({ httpOnly, sameSite, path }, { httpOnly: true, sameSite: "Lax", path: "/hacktracker" });
  assert(!(await page.evaluate(() => document.cookie)).includes(cookie.value));
});

test("other sites can neither change something nor sign somebody in or out", async (test) => {
  const forms = {
    "sign-out": "",
    "sign-out/everywhere": "",
    "sign-in-as": '<input name="person" value="demo-pat">',
    teams: '<input name="name" value="Made elsewhere"><input name="team_type" value="MANAGED">',
  };
  for (const [path, fields] of Object.entries(forms)) {
    const html = `<form method="post" action="${origin}/hacktracker/${path}">${fields}<button>Go</button></form>`;
    const foreign = await foreignPage(test, html);
    const page = await open(test, SIGN_IN, { foreign });
    await signInAs(page, "casey", ACCOUNT);
    const before = await session(page.context());
    await page.goto(foreign);
    const [response] = await Promise.all([
      page.waitForResponse(`**/hacktracker/${path}`),
      page.getByRole("button", { name: "Go" }).click(),
    ]);
    assert([401, 403].includes(response.status()), `${path}: ${response.status()}`);
    assert.equal((await session(page.context())).value, before.value, path);
    assert.match(await visit(page.context(), ACCOUNT), /^200 Account[^]*casey@demo.example/);
  }
});

test("a form without the token of its session is refused", async (test) => {
  const [page, other] = [await open(test, SIGN_IN), await open(test, SIGN_IN)];
  await signInAs(page, "casey", ACCOUNT);
  await signInAs(other, "drew", ACCOUNT);
  const foreignToken = await other.locator("input[name=_csrf]").first().inputValue();
  for (const csrf of ["", foreignToken]) {
    const status = await page.evaluate(async (csrf) => {
      const body = new URLSearchParams({ name: "Forged", team_type: "MANAGED", _csrf: csrf });
      return (await fetch("/hacktracker/teams", { method: "POST", body })).status;
    }, csrf);
    assert.equal(status, 403);
  }
});

test("no page can be put into a frame of another site, and all have a strict policy", async (test) => {
  const foreign = await foreignPage(test, `<iframe src="${origin}${SIGN_IN}"></iframe>`);
  const page = await open(test, foreign, { foreign });
  const [, frame] = page.frames();
  for (let tries = 0; tries < 100 && frame.url() === ""; tries++) await page.waitForTimeout(100);
  assert(frame.url().startsWith("chrome-error:"), frame.url());
  for (const path of ["/", "/hacktracker/docs", "/btl-run/docs", SIGN_IN, ACCOUNT, "/hacktracker/live/none"]) {
    const { headers } = await fetch(origin + path, { headers: { accept: "text/html" } });
    const policy = headers.get("content-security-policy");
    assert.match(policy, /^default-src 'none';/, path);
    assert.match(policy, /frame-ancestors 'none'/, path);
    assert.match(policy, /form-action 'self'/, path);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/, path);
    assert.equal(headers.get("x-content-type-options"), "nosniff", path);
    assert.match(headers.get("referrer-policy"), /^(no-referrer|same-origin)$/, path);
  }
});

test("nobody is led to another site after signing in", async (test) => {
  const targets = [
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example/",
    "/hacktracker/..//evil.example/",
    "/hacktracker/%2e%2e/%2e%2e//evil.example/",
    "javascript:alert(1)",
    "/btl-run/docs",
    "/hacktracker@evil.example/",
  ];
  const page = await open(test, SIGN_IN);
  for (const then of targets) {
    await page.context().clearCookies();
    await signInAs(page, "casey", then);
    assert.equal(new URL(page.url()).origin, origin, then);
  }
});
