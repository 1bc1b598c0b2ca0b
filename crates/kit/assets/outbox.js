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
  make("button", { type: "button", className: "quiet", textContent, onclick: async () => { await act(); send(); } });

const show = async () => {
  const acts = (await all("acts")).filter((act) => act.user === user);
  list.replaceChildren(...acts.map((act) => {
    const item = make("li", { textContent: act.label });
    const retry = () => save("acts", { ...act, refusal: null });
    if (act.refusal) item.append(make("span", { className: "error", textContent: act.refusal }), button("Try again", retry));
    item.append(button("Discard", () => remove("acts", act.id)));
    return item;
  }));
  section.hidden = !isOffline && !acts.length;
  await keep();
  return acts;
};

const say = (text) => { status.textContent = text; };

// Returns nothing if the act was sent, why it was refused, or what stops all acts.
const post = async (act) => {
  const body = new URLSearchParams(act.body);
  body.set("_csrf", document.querySelector("input[name=_csrf]")?.value ?? "");
  const response = await fetch(act.action, { method: "POST", body, redirect: "manual" }).catch(() => null);
  if (!response || response.status >= 500 || response.status === 429) {
    timer = setTimeout(send, 5000);
    return "No connection. It is sent later.";
  }
  if (response.type === "opaqueredirect" || response.ok) return;
  if (response.status === 401) return "Signed out. Sign in to send it.";
  const page = parsed(await response.text());
  const texts = [...page.querySelectorAll("[role=alert], .error, .notice.bad")].map((one) => one.textContent.trim());
  return { refusal: texts.join(" ") || `The server refused it (${response.status}).` };
};

const send = async () => {
  let [act] = await show();
  if (isSending || isOffline) return;
  isSending = true;
  clearTimeout(timer);
  let isChanged;
  for (; act; [act] = await show()) {
    say("Sending…");
    const result = act.refusal ? "Decide about the first." : await post(act);
    if (typeof result === "string") { say(result); break; }
    isChanged = true;
    await (result ? save("acts", { ...act, ...result }) : remove("acts", act.id));
  }
  isSending = false;
  if (isChanged) dispatchEvent(new Event("outbox-sent"));
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
  // The server knows better who is next; without a network the next one is likely.
  for (const one of form.querySelectorAll("[data-next]")) {
    const next = (one.selectedIndex + 1) % one.length;
    for (const option of one.options) option.defaultSelected = option.index === next;
  }
  form.reset();
  renew(form);
  // Without fields there is nothing to send twice.
  form.hidden = !fields.length;
  await save("acts", { user, action: form.getAttribute("action"), body: body.toString(), label });
  send();
});

const reload = () => fetch(path, { method: "HEAD" }).then(() => location.reload(), () => {});
addEventListener("online", isOffline ? reload : send);
if (isOffline) setInterval(reload, 3000);
navigator.serviceWorker?.register(section.dataset.worker).catch(() => {});
say(isOffline ? "No connection. What you send is kept here." : "");
send();
