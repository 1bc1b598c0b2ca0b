// The documentation page: search, copying, requests.

const all = (selector) => document.querySelectorAll(selector);

const { origin } = document.querySelector("main").dataset;
for (const code of all(".copied code")) code.textContent = code.textContent.replaceAll(origin, location.origin);

for (const button of all(".copied button")) button.onclick = async () => {
  await navigator.clipboard.writeText(button.previousElementSibling.textContent);
  button.textContent = "Copied";
};

const search = document.getElementById("search");
search.oninput = () => {
  const words = search.value.toLowerCase().split(/\s+/);
  for (const one of all("[data-text]")) one.hidden = !words.every((word) => one.dataset.text.includes(word));
  // On phones, a long list hides the page.
  for (const chapter of all("aside details")) chapter.open = search.value || innerWidth >= 960;
  const { length } = all("li[data-text]:not([hidden])");
  document.getElementById("found").textContent = search.value && `${length} found`;
};
search.oninput();

const token = document.getElementById("token");
const csrf = () => document.cookie.split(`${token.dataset.csrf}=`)[1]?.split(";")[0];

const send = async (form) => {
  let { method, path, key } = form.dataset;
  const values = new FormData(form);
  const body = values.get(" body") || undefined;
  const query = new URLSearchParams();
  for (const [name, value] of values) {
    if (!value || name === " body") continue;
    const url = path.replace(`{${name}}`, encodeURIComponent(value));
    if (url === path) query.append(name, value);
    path = url;
  }
  const headers = { "content-type": "application/json" };
  if (token.value) headers.authorization = `Bearer ${token.value}`;
  else if (csrf()) headers["x-csrf-token"] = csrf();
  if (key !== undefined) headers["idempotency-key"] = `${Date.now()}-${Math.random()}`;
  const response = await fetch(`${path}?${query}`, { method, headers, body });
  let text = await response.text();
  try { text = JSON.stringify(JSON.parse(text), null, 2); } catch {}
  return `${response.status} ${response.statusText}\n\n${text}`;
};

addEventListener("submit", async (event) => {
  event.preventDefault();
  const output = event.target.querySelector("output");
  output.textContent = await send(event.target).catch((error) => `The request was not sent: ${error.message}`);
});
