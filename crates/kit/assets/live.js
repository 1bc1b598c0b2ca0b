// Keeps a page up to date: after each event the page is fetched again and its parts are replaced.

const main = document.querySelector("main[data-live]");
const connection = document.getElementById("connection");
let loading = false;
let isStale = false;

const show = (text) => { connection.textContent = text; };

const refresh = async () => {
  if (loading) { isStale = true; return; }
  loading = true;
  do {
    isStale = false;
    const response = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => null);
    if (!response?.ok) break;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const part of main.querySelectorAll("[data-part]")) {
      const next = page.getElementById(part.id);
      if (next && !next.isEqualNode(part)) part.replaceWith(document.adoptNode(next));
    }
    document.title = page.title;
  } while (isStale);
  loading = false;
};

const follow = (wait) => {
  const stream = new EventSource(main.dataset.live);
  let isOver = false;
  const named = (event) => {
    if (event.type === "signed-out") {
      isOver = true;
      stream.close();
      show("You are signed out. Load the page again to sign in.");
    } else if (event.type === "end") {
      isOver = true;
      stream.close();
      show("");
      refresh();
    } else refresh();
  };
  for (const name of ["message", "live", "log", "missed", "signed-out", "end"]) stream.addEventListener(name, named);
  stream.onopen = () => { wait = 1000; show("Updates by itself"); refresh(); };
  stream.onerror = () => {
    if (isOver) return;
    show("Connection lost. Trying again…");
    // EventSource tries again by itself, except after a response that is not a stream.
    if (stream.readyState === EventSource.CLOSED) setTimeout(follow, wait, Math.min(wait * 2, 30000));
  };
};

addEventListener("outbox-sent", refresh);
follow(1000);
