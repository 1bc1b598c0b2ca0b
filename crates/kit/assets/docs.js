// The documentation page: search, copying, and requests.

const all = (selector) => [...document.querySelectorAll(selector)];

for (const element of all("[data-script]")) element.hidden = false;

// The server may have another address, too.
for (const code of all("[data-origin]")) {
  code.textContent = code.textContent.replaceAll(code.dataset.origin, location.origin);
}

for (const block of all(".copied")) {
  const button = document.createElement("button");
  button.textContent = "Copy";
  button.onclick = async () => {
    await navigator.clipboard.writeText(block.querySelector("code").textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  };
  block.append(button);
}

const openTarget = () => {
  const target = document.getElementById(location.hash.slice(1));
  if (!target) return;
  target.open = true;
  target.scrollIntoView();
};
addEventListener("hashchange", openTarget);
openTarget();

const search = document.getElementById("search");
const found = document.getElementById("found");
// On a phone, a long list would hide the page.
const openChapters = () => {
  for (const chapter of all("aside details")) chapter.open = matchMedia("(min-width: 60rem)").matches || search.value;
};
openChapters();
const texts = new Map(all("details[data-operation]").map((one) => [one.id, one.dataset.text.toLowerCase()]));
search.oninput = () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (id) => words.every((word) => texts.get(id).includes(word));
  for (const element of all("[data-operation]")) element.hidden = !matches(element.dataset.operation);
  for (const chapter of all("[data-chapter]")) {
    chapter.hidden = !chapter.querySelector("[data-operation]:not([hidden])");
  }
  openChapters();
  const count = [...texts.keys()].filter(matches).length;
  found.hidden = !words.length;
  found.textContent = `${count} found`;
};
addEventListener("keydown", (event) => {
  if (event.key === "/" && !event.target.matches("input, textarea")) {
    event.preventDefault();
    search.focus();
  }
});

const token = document.getElementById("token");
token.value = sessionStorage.getItem("token") ?? "";
token.oninput = () => sessionStorage.setItem("token", token.value);

const csrf = () => document.cookie.split(`${token.dataset.csrf}=`)[1]?.split(";")[0];

// Only the browser knows who is signed in.
const account = document.querySelector("nav[aria-label=Account] a");
if (account && csrf()) {
  account.href = "account";
  account.textContent = "Account";
}

const send = async (form) => {
  const values = new FormData(form);
  const query = new URLSearchParams();
  let { method, path, key } = form.dataset;
  for (const [name, value] of values) {
    if (name === " body" || value === "") continue;
    if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, encodeURIComponent(value));
    else query.append(name, value);
  }
  const headers = {};
  if (token.value) headers.authorization = `Bearer ${token.value.trim()}`;
  else if (csrf()) headers["x-csrf-token"] = csrf();
  if (key !== undefined) headers["idempotency-key"] = `${Date.now()}-${Math.random()}`;
  const body = values.get(" body") || undefined;
  if (body) headers["content-type"] = "application/json";
  const response = await fetch(`${path}?${query}`, { method, headers, body });
  let text = await response.text();
  try { text = JSON.stringify(JSON.parse(text), null, 2); } catch {}
  return `${response.status} ${response.statusText}\n\n${text}`;
};

addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const output = document.createElement("pre");
  event.submitter.disabled = true;
  output.textContent = await send(form).catch((error) => `The request was not sent: ${error.message}`);
  event.submitter.disabled = false;
  form.querySelector("[role=status]").replaceChildren(output);
});
