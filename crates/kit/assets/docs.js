// The documentation page: search, links to operations, copy buttons, and requests from the page.

const all = (selector, root = document) => [...root.querySelectorAll(selector)];

for (const element of all("[data-script]")) element.hidden = false;

// The server may be reached under another address than it knows of.
for (const code of all("[data-origin]")) {
  code.textContent = code.textContent.replaceAll(code.dataset.origin, location.origin);
}

for (const block of all(".copied")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.querySelector("code").textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  block.append(button);
}

const openTarget = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.matches("details")) {
    target.open = true;
    target.scrollIntoView();
  }
};
addEventListener("hashchange", openTarget);
openTarget();

const search = document.getElementById("search");
const found = document.getElementById("found");
// On a phone, a list of all operations would hide the page.
const isWide = matchMedia("(min-width: 60rem)");
const openChapters = () => {
  for (const chapter of all("aside details")) chapter.open = isWide.matches || search.value !== "";
};
isWide.addEventListener("change", openChapters);
openChapters();
const texts = new Map(all("details[data-operation]").map((one) => [one.id, one.dataset.text.toLowerCase()]));
search.addEventListener("input", () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (id) => words.every((word) => texts.get(id).includes(word));
  for (const element of all("[data-operation]")) element.hidden = !matches(element.dataset.operation);
  for (const chapter of all("[data-chapter]")) {
    chapter.hidden = !chapter.querySelector("[data-operation]:not([hidden])");
  }
  openChapters();
  const count = [...texts.keys()].filter(matches).length;
  found.hidden = words.length === 0;
  found.textContent = count === 1 ? "1 operation" : `${count} operations`;
});
addEventListener("keydown", (event) => {
  if (event.key === "/" && !event.target.matches("input, textarea")) {
    event.preventDefault();
    search.focus();
  }
});

const token = document.getElementById("token");
token.value = sessionStorage.getItem("token") ?? "";
token.addEventListener("input", () => sessionStorage.setItem("token", token.value));
document.getElementById("token-form").addEventListener("submit", (event) => event.preventDefault());

const service = location.pathname.replace(/\/docs$/, "");
const csrf = () => document.cookie.split(`${service.slice(1)}-csrf=`)[1]?.split(";")[0];

// Only the browser knows whether somebody is signed in.
const account = document.querySelector("nav[aria-label=Account] a");
if (account && csrf()) {
  account.href = `${service}/account`;
  account.textContent = "Account";
}

const send = async (form) => {
  const values = new FormData(form);
  const { method, path } = form.dataset;
  const query = new URLSearchParams();
  let url = path;
  for (const [name, value] of values) {
    if (name === " body" || value === "") continue;
    if (url.includes(`{${name}}`)) url = url.replace(`{${name}}`, encodeURIComponent(value));
    else query.append(name, value);
  }
  const headers = { accept: "application/json" };
  if (token.value) headers.authorization = `Bearer ${token.value.trim()}`;
  else if (csrf()) headers["x-csrf-token"] = csrf();
  if ("key" in form.dataset) headers["idempotency-key"] = `${Date.now()}-${Math.random()}`;
  const body = values.get(" body") || undefined;
  if (body) headers["content-type"] = "application/json";
  const suffix = query.size ? `?${query}` : "";
  const response = await fetch(service + url.slice(service.length) + suffix, { method, headers, body });
  const text = await response.text();
  let shown = text;
  try { shown = JSON.stringify(JSON.parse(text), null, 2); } catch { /* not JSON */ }
  return `${response.status} ${response.statusText}\n\n${shown}`;
};

for (const form of all("form.try")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const output = document.createElement("pre");
    const button = form.querySelector("button");
    button.disabled = true;
    output.textContent = await send(form).catch((error) => `The request was not sent: ${error.message}`);
    button.disabled = false;
    form.querySelector("[role=status]").replaceChildren(output);
  });
}
