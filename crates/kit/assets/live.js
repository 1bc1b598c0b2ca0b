// Fetches a page again after each event, and replaces its parts.

const main = document.querySelector("main");
let last = Promise.resolve(), next;

const show = (text) => { document.getElementById("connection").textContent = text; };

const load = async () => {
  next = null;
  const response = await fetch("").catch(() => null);
  if (!response?.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const part of main.querySelectorAll("[data-part]")) {
    const newer = page.getElementById(part.id);
    if (newer && !newer.isEqualNode(part)) part.replaceWith(newer);
  }
  document.title = page.title;
  dispatchEvent(new Event("refreshed"));
};
// One fetch for all events meanwhile.
const refresh = () => { next ??= last = last.then(load, load); };

const follow = () => {
  const stream = new EventSource(main.dataset.live);
  const end = (text) => { stream.close(); show(text); refresh(); };
  for (const name of ["message", "live", "log", "game", "team", "missed"]) stream.addEventListener(name, refresh);
  stream.addEventListener("end", () => end(""));
  stream.addEventListener("signed-out", () => end("Signed out. Load the page again to sign in."));
  stream.onopen = () => { show("Updates by itself"); refresh(); };
  stream.onerror = () => {
    show("Connection lost. Trying again…");
    // EventSource tries again, except after a response that is no stream.
    if (stream.readyState === EventSource.CLOSED) setTimeout(follow, 5000);
  };
};

addEventListener("outbox-sent", refresh);
follow();
