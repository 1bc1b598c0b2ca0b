// Keeps what people send until the server has accepted it, and sends it in order and only for its author.

const section = document.getElementById("outbox");
const list = section.querySelector("ol");
const status = section.querySelector("[role=status]");
const path = location.pathname;
let isSending = false;
let timer;

const database = new Promise((resolve, reject) => {
  const request = indexedDB.open(`outbox ${section.dataset.service}`, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("acts", { keyPath: "id", autoIncrement: true });
    request.result.createObjectStore("forms", { keyPath: "path" });
  };
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

const run = async (store, mode, work) => {
  const transaction = (await database).transaction(store, mode);
  const request = work(transaction.objectStore(store));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = () => reject(transaction.error);
  });
};
const save = (store, value) => run(store, "readwrite", (rows) => rows.put(value));
const remove = (store, key) => run(store, "readwrite", (rows) => rows.delete(key));
const all = (store) => run(store, "readonly", (rows) => rows.getAll());

const parsed = (html) => new DOMParser().parseFromString(html, "text/html");
const renew = (form) => {
  const key = form.querySelector("input[name=_key]");
  if (key) key.value = `${Date.now()}-${crypto.getRandomValues(new Uint32Array(4)).join("")}`;
};

// Without a network, the forms are those of the last visit.
let user = section.dataset.user;
const isOffline = section.dataset.offline !== undefined;
const forms = await all("forms");
if (isOffline) {
  const kept = forms.find((form) => form.path === path);
  user = kept?.user;
  if (kept) {
    document.title = kept.title;
    document.querySelector("h1").textContent = kept.title;
    section.before(...parsed(kept.html).body.children);
    document.querySelectorAll("form").forEach(renew);
  }
} else {
  for (const form of forms) if (form.user !== user) await remove("forms", form.path);
  const html = [...document.querySelectorAll("form[data-queued]")].map((form) => form.outerHTML).join("");
  await save("forms", { path, user, title: document.title, html });
}

const button = (text, act) => {
  const element = document.createElement("button");
  element.type = "button";
  element.className = "quiet";
  element.textContent = text;
  element.addEventListener("click", async () => { await act(); await show(); send(); });
  return element;
};

const mine = async () => (await all("acts")).filter((act) => act.user === user);

const show = async () => {
  const acts = await mine();
  list.replaceChildren(...acts.map((act) => {
    const item = document.createElement("li");
    item.append(act.label);
    if (act.refusal) {
      const error = document.createElement("span");
      error.className = "error";
      error.textContent = act.refusal;
      item.append(error, button("Try again", () => save("acts", { ...act, refusal: null })), button("Discard", () => remove("acts", act.id)));
    }
    return item;
  }));
  section.hidden = acts.length === 0;
  return acts;
};

const say = (text) => { status.textContent = text; };

const post = async (act) => {
  const body = new URLSearchParams(act.body);
  body.set("_csrf", document.querySelector("input[name=_csrf]")?.value ?? "");
  const response = await fetch(act.action, { method: "POST", body, redirect: "manual", headers: { accept: "text/html" } }).catch(() => null);
  if (!response || response.status >= 500 || response.status === 429) return "later";
  if (response.type === "opaqueredirect" || response.ok) return "sent";
  if (response.status === 401) return "signed out";
  const page = parsed(await response.text());
  const texts = [...page.querySelectorAll("[role=alert], .error, .notice.bad")].map((one) => one.textContent.trim());
  return { refusal: texts.join(" ") || `The server refused it (${response.status}).` };
};

const send = async () => {
  if (isSending || isOffline) return;
  isSending = true;
  clearTimeout(timer);
  let sent = 0;
  for (let act = (await show())[0]; act; act = (await show())[0]) {
    if (act.refusal) { say("Decide about the first one."); break; }
    say("Sending…");
    const result = await post(act);
    if (result === "sent") { await remove("acts", act.id); sent += 1; continue; }
    if (result === "later") { say("No connection. It is sent later."); timer = setTimeout(send, 5000); break; }
    if (result === "signed out") { say("You are signed out. Sign in to send it."); break; }
    await save("acts", { ...act, refusal: result.refusal });
  }
  isSending = false;
  if (sent > 0) dispatchEvent(new Event("outbox-sent"));
};

addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.dataset.queued === undefined) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form));
  const texts = [...form.elements].filter((one) => one.name && one.type !== "hidden" && one.value && (one.type !== "checkbox" || one.checked));
  const label = texts.map((one) => one.selectedOptions?.[0]?.textContent ?? one.value).join(", ");
  form.reset();
  renew(form);
  await save("acts", { user, action: form.getAttribute("action"), body: body.toString(), label, refusal: null });
  await show();
  send();
});

const reload = () => fetch(path, { method: "HEAD" }).then(() => location.reload(), () => {});
addEventListener("online", isOffline ? reload : send);
if (isOffline) setInterval(reload, 3000);
navigator.serviceWorker?.register(section.dataset.worker).catch(() => {});
say(isOffline ? "No connection. What you send is kept here." : "");
await show();
if (isOffline) section.hidden = false;
send();
