// Keeps what people send until the server has accepted it.

const section = document.getElementById("outbox");
const { service, worker, offline } = section.dataset;
const path = location.pathname;
let isSending, timer;

const done = (work) => new Promise((resolve, reject) => {
  work.onsuccess = work.oncomplete = () => resolve(work.result);
  work.onerror = () => reject(work.error);
});
const opening = indexedDB.open(`outbox ${service}`, 1);
opening.onupgradeneeded = () => opening.result.createObjectStore("acts", { keyPath: "id", autoIncrement: true });
const database = await done(opening);
const run = async (work) => {
  const transaction = database.transaction("acts", "readwrite");
  const request = work(transaction.objectStore("acts"));
  await done(transaction);
  return request.result;
};
const save = (act) => run((acts) => acts.put(act));
const remove = ({ id }) => run((acts) => acts.delete(id));

const renew = ({ elements: { _key } }) => {
  if (_key) _key.value = `${Date.now()}-${Math.random()}`;
};

// Offline, the forms are those of the last visit.
const visited = () => JSON.parse(localStorage[service] ?? "{}");
const user = offline ? visited().user : section.dataset.user;
const page = offline && visited().pages?.[path];
if (page) {
  document.title = document.querySelector("h1").textContent = page.title;
  section.insertAdjacentHTML("beforebegin", page.html);
  [...document.forms].forEach(renew);
}
const keep = () => {
  const html = [...document.querySelectorAll("form[data-queued]")].map((form) => form.outerHTML).join("");
  const pages = { ...(visited().user === user && visited().pages), [path]: { title: document.title, html } };
  localStorage[service] = JSON.stringify({ user, pages });
};
addEventListener("refreshed", keep);

const make = (name, className, textContent, onclick) => Object.assign(document.createElement(name), { className, textContent, onclick });
const button = (text, act) => make("button", "quiet", text, () => act().then(send));

const show = async () => {
  const acts = (await run((acts) => acts.getAll())).filter((act) => act.user === user);
  section.querySelector("ol").replaceChildren(...acts.map((act) => {
    const item = make("li", "", act.label);
    if (act.refusal) item.append(make("span", "error", act.refusal), button("Try again", () => save({ ...act, refusal: null })));
    item.append(button("Discard", () => remove(act)));
    return item;
  }));
  section.hidden = !offline && !acts.length;
  keep();
  return acts;
};

const say = (text) => { section.querySelector("[role=status]").textContent = text; };

// Returns nothing if sent, why it was refused, or what stops all acts.
const post = async (act) => {
  const fields = new FormData();
  for (const field of act.fields) fields.append(...field);
  fields.set("_csrf", document.querySelector("[name=_csrf]")?.value ?? "");
  const response = await fetch(act.action, { method: "POST", body: fields, redirect: "manual" }).catch(() => null);
  if (!response || response.status >= 500 || response.status === 429) {
    timer = setTimeout(send, 5000);
    return "No connection. It is sent later.";
  }
  if (response.type === "opaqueredirect" || response.ok) return;
  if (response.status === 401) return "Signed out. Sign in to send it.";
  const refused = new DOMParser().parseFromString(await response.text(), "text/html");
  const reasons = refused.querySelectorAll("[role=alert], .error, .notice.bad");
  const texts = [...reasons].map((one) => one.textContent);
  return { refusal: texts.join(" ") || `The server refused it (${response.status}).` };
};

const send = async () => {
  let [act] = await show();
  if (isSending || offline) return;
  isSending = true;
  clearTimeout(timer);
  for (; act; [act] = await show()) {
    say("Sending…");
    const result = act.refusal ? "Decide about the first." : await post(act);
    if (typeof result === "string") { say(result); break; }
    await (result ? save({ ...act, ...result }) : remove(act));
    dispatchEvent(new Event("outbox-sent"));
  }
  isSending = false;
};

const shrunk = async (photo) => {
  const image = await createImageBitmap(photo).catch(() => null);
  if (!image) return photo;
  const scale = Math.min(1, 1600 / Math.max(image.width, image.height));
  const canvas = new OffscreenCanvas(image.width * scale, image.height * scale);
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: "image/jpeg" });
};

addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.dataset.queued !== "" && !offline) return;
  event.preventDefault();
  for (const field of form.querySelectorAll("[data-now]")) field.value = new Date().toISOString();
  const fields = [...new FormData(form)];
  const shown = [...form.elements].filter((one) => one.name && one.type !== "hidden" && (one.checked || !/radio|checkbox/.test(one.type)));
  const text = (one) => (one.checked ? one.parentNode.textContent : one.selectedOptions?.[0]?.textContent ?? one.files?.[0]?.name ?? one.value).trim();
  const label = shown.map(text).filter(Boolean).join(", ") || event.submitter.textContent;
  for (const one of form.querySelectorAll("[data-next]")) {
    const next = (one.selectedIndex + 1) % one.length;
    for (const option of one.options) option.defaultSelected = option.index === next;
  }
  form.reset();
  renew(form);
  // Without fields there is nothing to send twice.
  form.hidden = !shown.length;
  for (const field of fields) if (field[1].size) field[1] = await shrunk(field[1]);
  await save({ user, action: form.getAttribute("action"), fields, label });
  send();
});

addEventListener("online", send);
if (offline) setInterval(() => fetch(path, { method: "HEAD" }).then(() => location.reload(), () => {}), 3000);
navigator.serviceWorker?.register(worker).catch(() => {});
send();
