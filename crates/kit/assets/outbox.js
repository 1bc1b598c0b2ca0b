// Keeps what people send until the server has accepted it.

const section = document.getElementById("outbox");
const list = section.querySelector("ol");
const status = section.querySelector("[role=status]");
const path = location.pathname;
let isSending;
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

const run = async (store, work) => {
  const transaction = (await database).transaction(store, "readwrite");
  const request = work(transaction.objectStore(store));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = () => reject(transaction.error);
  });
};
const save = (store, value) => run(store, (rows) => rows.put(value));
const remove = (store, key) => run(store, (rows) => rows.delete(key));
const all = (store) => run(store, (rows) => rows.getAll());

const parsed = (html) => new DOMParser().parseFromString(html, "text/html");
const renew = (form) => {
  const key = form.querySelector("input[name=_key]");
  if (key) key.value = `${Date.now()}-${crypto.getRandomValues(new Uint32Array(4)).join("")}`;
};

// Offline, the forms are those of the last visit.
let user = section.dataset.user;
const isOffline = "offline" in section.dataset;
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
}

const keep = () => {
  const html = [...document.querySelectorAll("form[data-queued]")].map((form) => form.outerHTML).join("");
  return user && save("forms", { path, user, title: document.title, html });
};
addEventListener("refreshed", keep);

const make = (name, properties) => Object.assign(document.createElement(name), properties);
const button = (textContent, act) =>
  make("button", { type: "button", className: "quiet", textContent, onclick: async () => { await act(); await show(); send(); } });

const show = async () => {
  const acts = (await all("acts")).filter((act) => act.user === user);
  list.replaceChildren(...acts.map((act) => {
    const item = make("li", { textContent: act.label });
    if (act.refusal) {
      item.append(make("span", { className: "error", textContent: act.refusal }), button("Try again", () => save("acts", { ...act, refusal: null })));
    }
    item.append(button("Discard", () => remove("acts", act.id)));
    return item;
  }));
  section.hidden = !isOffline && !acts.length;
  await keep();
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
    if (act.refusal) { say("Decide about the first."); break; }
    say("Sending…");
    const result = await post(act);
    if (result === "sent") { await remove("acts", act.id); sent += 1; continue; }
    if (result === "later") { say("No connection. It is sent later."); timer = setTimeout(send, 5000); break; }
    if (result === "signed out") { say("Signed out. Sign in to send it."); break; }
    await save("acts", { ...act, refusal: result.refusal });
  }
  isSending = false;
  if (sent) dispatchEvent(new Event("outbox-sent"));
};

addEventListener("submit", async (event) => {
  const form = event.target;
  if (!("queued" in form.dataset)) return;
  event.preventDefault();
  for (const field of form.querySelectorAll("[data-now]")) field.value = new Date().toISOString();
  const body = new URLSearchParams(new FormData(form));
  const fields = [...form.elements].filter((one) => one.name && one.type !== "hidden" && (one.checked || !/radio|checkbox/.test(one.type)));
  const text = (one) => (one.checked ? one.parentNode.textContent : one.selectedOptions?.[0]?.textContent ?? one.value).trim();
  const label = fields.map(text).filter(Boolean).join(", ") || event.submitter.textContent;
  form.reset();
  renew(form);
  // Without fields there is nothing to send twice.
  form.hidden = !fields.length;
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
send();
