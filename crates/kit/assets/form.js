// Sends forms without leaving the page: a refusal is shown in place, success shows the next page.

addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.method !== "post" || form.dataset.queued !== undefined || event.defaultPrevented) return;
  event.preventDefault();
  const button = event.submitter ?? form.querySelector("button");
  button.disabled = true;
  const body = new URLSearchParams(new FormData(form, event.submitter));
  const response = await fetch(form.action, { method: "POST", body, headers: { accept: "text/html" } }).catch(() => null);
  button.disabled = false;
  if (!response) {
    const notice = form.querySelector("[role=alert]") ?? document.createElement("p");
    notice.className = "notice bad";
    notice.setAttribute("role", "alert");
    notice.textContent = "There is no connection. Nothing was sent; try again.";
    form.prepend(notice);
    return;
  }
  if (response.redirected) {
    if (response.url.split("#")[0] === location.href.split("#")[0]) location.reload();
    else location.assign(response.url);
    return;
  }
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const next = page.querySelector(`form[action="${form.getAttribute("action")}"]`);
  if (!response.ok && next) {
    form.replaceWith(document.adoptNode(next));
    next.querySelector("[aria-invalid=true], [role=alert]")?.scrollIntoView({ block: "center" });
    next.querySelector("[aria-invalid=true]")?.focus();
  } else {
    document.querySelector("main").replaceWith(document.adoptNode(page.querySelector("main")));
    document.title = page.title;
    scrollTo(0, 0);
  }
});
