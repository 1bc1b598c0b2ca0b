// Shows how much time is left, by the clock of the server.

for (const clock of document.querySelectorAll("[data-left]")) {
  const end = performance.now() + clock.dataset.left * 1000;
  const show = () => {
    const seconds = Math.max(0, (end - performance.now()) / 1000 | 0);
    const two = (number) => String(number).padStart(2, "0");
    clock.textContent = `${seconds / 3600 | 0}:${two(seconds / 60 % 60 | 0)}:${two(seconds % 60)}`;
  };
  show();
  setInterval(show, 1000);
}
