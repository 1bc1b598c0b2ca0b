// Clocks that count up from a time, or down to one.

const show = () => {
  for (const clock of document.querySelectorAll("[data-since], [data-until]")) {
    const { since, until } = clock.dataset;
    const seconds = Math.max(0, (Date.now() - Date.parse(since ?? until)) / (since ? 1000 : -1000));
    const parts = [seconds / 3600, seconds / 60 % 60, seconds % 60].map((part) => String(part | 0).padStart(2, "0"));
    clock.textContent = parts.slice(seconds < 3600).join(":");
  }
};
setInterval(show, 500);
