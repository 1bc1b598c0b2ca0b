// Fetches a page again after each event, and replaces its parts.

const main = document.querySelector("main[data-live]");
const connection = document.getElementById("connection");
let loading;
let isStale;

const show = (text) => { connection.textContent = text; };

const refresh = async () => {
  isStale = true;
  if (loading) return;
  loading = true;
  while (isStale) {
    isStale = false;
    const response = await fetch(location.href).catch(() => null);
    if (!response?.ok) break;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const part of main.querySelectorAll("[data-part]")) {
      const next = page.getElementById(part.id);
      if (next && !next.isEqualNode(part)) part.replaceWith(next);
    }
    document.title = page.title;
    dispatchEvent(new Event("refreshed"));
  }
  loading = false;
};

const follow = (wait) => {
  const stream = new EventSource(main.dataset.live);
  let isOver = false;
  const named = ({ type }) => {
    isOver = type === "signed-out" || type === "end";
    if (isOver) {
      stream.close();
      show(type === "end" ? "" : "Signed out. Load the page again to sign in.");
    }
    refresh();
  };
  for (const name of ["message", "live", "log", "game", "missed", "signed-out", "end"]) stream.addEventListener(name, named);
  stream.onopen = () => { wait = 1000; show("Updates by itself"); refresh(); };
  stream.onerror = () => {
    if (isOver) return;
    show("Connection lost. Trying again…");
    // EventSource tries again, except after a response that is not a stream.
    if (stream.readyState === EventSource.CLOSED) setTimeout(follow, wait, Math.min(wait * 2, 30000));
  };
};

// Clocks.
setInterval(() => {
  for (const clock of document.querySelectorAll("[data-since]")) {
    const seconds = Math.max(0, (Date.now() - Date.parse(clock.dataset.since)) / 1000 | 0);
    clock.textContent = `${seconds / 60 | 0}:${String(seconds % 60).padStart(2, "0")}`;
  }
}, 500);

addEventListener("outbox-sent", refresh);
follow(1000);
