// Scripts in texts: whatever people write into either service, pages show it as text.

import assert from "node:assert/strict";
import test from "node:test";
import { QueryCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { documents } from "../node/endpoint.js";
import { open, origin, send, signInAs, token, trySend } from "./pages.js";

/** It would become an element, and a script if the policy allowed one. */
const HOSTILE = "<img src=x onerror=hacked()>";

/** Checks that a page shows the text so many times at least, and that no element came of it. */
async function assertShown(page, least) {
  const shown = await page.evaluate(() => document.body.innerText);
  const count = shown.split(HOSTILE).length - 1;
  assert(count >= least, `the page shows it ${count} times instead of ${least}: ${shown}`);
  assert.equal(await page.locator("img").count(), 0);
}

/** Sends a request whose body has the text in all of these fields, but for those in which it is refused. */
async function sendHostile(bearer, path, fields, rest) {
  const texts = Object.fromEntries(fields.map((field) => [field, HOSTILE]));
  const [status, sent] = await trySend(bearer, "POST", path, { ...rest, ...texts });
  if (status < 300) return sent;
  assert.equal(status, 400, JSON.stringify(sent));
  for (const { field } of sent.fields) texts[field] = "Harmless";
  return send(bearer, "POST", path, { ...rest, ...texts });
}

/** Writes the text into rows as programs could that check nothing: names with it are refused by the API. */
async function writeHostileNames(TableName, PK) {
  const rows = await documents.send(
    new QueryCommand({ TableName, KeyConditionExpression: "PK = :pk", ExpressionAttributeValues: { ":pk": PK } }),
  );
  for (const row of rows.Items) {
    for (const name of ["name", "firstName", "lastName"].filter((name) => name in row)) {
      await documents.send(
        new UpdateCommand({
          TableName,
          Key: { PK, SK: row.SK },
          UpdateExpression: "SET #name = :text",
          ExpressionAttributeNames: { "#name": name },
          ExpressionAttributeValues: { ":text": HOSTILE },
        }),
      );
    }
  }
}

test("HackTracker's texts stay texts", async (test) => {
  const casey = token("casey");
  const service = "/hacktracker";
  const managed = { team_type: "MANAGED" };
  const { teamId } = await sendHostile(casey, `${service}/teams`, ["name", "description"], managed);
  const players = [];
  for (const playerNumber of [1, 2]) {
    const path = `${service}/teams/${teamId}/players`;
    const player = await sendHostile(casey, path, ["firstName", "lastName"], { playerNumber });
    players.push(player.playerId);
  }
  await writeHostileNames("hacktracker-dev", `TEAM#${teamId}`);
  const { seasonId } = await sendHostile(casey, `${service}/teams/${teamId}/seasons`, ["name"]);
  const game = { teamId, seasonId, lineup: players, scoreMode: "auto", status: "IN_PROGRESS" };
  const { gameId } = await sendHostile(casey, `${service}/games`, ["opponentName", "location"], game);
  for (const [playerId, result] of [[players[0], "1B"], [players[1], "2B"]]) {
    await send(casey, "POST", `${service}/games/${gameId}/atbats`, { playerId, result });
  }
  const share = await send(casey, "POST", `${service}/games/${gameId}/shares`);
  // Team and opponent in the title and the line score; batters in the plays, on base and in the box score.
  await assertShown(await open(test, `${service}/live/${share.token}`), 10);
  await assertShown(await open(test, `${service}/live/${share.token}`, { script: false }), 10);
  // The team and its game, and on the score page batters and plays too.
  const own = await open(test, `${service}/sign-in`);
  await signInAs(own, "casey", `${service}/my-games`);
  await assertShown(own, 2);
  await own.goto(`${service}/score/${gameId}`);
  await own.getByRole("button", { name: "Record" }).waitFor();
  await assertShown(own, 4);

  const page = await open(test, `${service}/docs#getTeam`);
  await page.getByLabel("Token for “Send request”").fill(casey);
  const form = page.locator("#getTeam form");
  await form.getByLabel("teamId").fill(teamId);
  await form.getByRole("button", { name: "Send request" }).click();
  await form.getByText("200 OK").waitFor();
  await assertShown(page, 2);
});

test("btl.run's texts stay texts", async (test) => {
  const service = "/btl-run";
  const theme = { tone: "dark", arena: HOSTILE };
  const opened = await send(token("casey"), "POST", `${service}/match`, { mode: "quick", aiCount: 5, theme });
  const path = `${service}/match/${opened.matchId}`;
  const host = opened.adminToken;
  const tribute = { code: opened.inviteCode, name: "Robin" };
  const [status] = await trySend(token("drew"), "POST", `${path}/join`, { ...tribute, name: HOSTILE });
  assert.equal(status, 400);
  const { playerToken } = await send(token("drew"), "POST", `${path}/join`, tribute);
  await send(host, "POST", `${path}/start`, {});
  await sendHostile(host, `${path}/gm/announce`, ["text"]);
  await sendHostile(host, `${path}/gm/inject`, ["weather"], { kind: "weather" });
  const turn = async () => (await (await fetch(origin + path)).json()).turnId;
  const action = { turnId: await turn(), action: "hide" };
  await sendHostile(playerToken, `${path}/action`, ["freeText"], action);
  for (let turnId = await turn(); turnId; turnId = await turn()) {
    await send(host, "POST", `${path}/advance`, { turnId, force: true });
  }
  // In the title, in what was announced and said, and in every turn's first sentence.
  for (const script of [true, false]) {
    await assertShown(await open(test, `${service}/stories/${opened.matchId}`, { script }), 4);
    await assertShown(await open(test, `${service}/r/${opened.matchId}?day=1`, { script }), 1);
  }
  const mine = await open(test, `${service}/sign-in`);
  await mine.getByRole("button", { name: "Sign in as casey@demo.example" }).click();
  await mine.getByRole("heading", { name: "Your matches" }).waitFor();
  await assertShown(mine, 1);
});
