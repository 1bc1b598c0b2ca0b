// Sends forms without leaving the page, and shows refusals in place.

addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.method !== "post" || "queued" in form.dataset || event.defaultPrevented || !form.action.startsWith(location.origin + "/")) return;
  event.preventDefault();
  const button = event.submitter ?? form.querySelector("button");
  const body = new URLSearchParams(new FormData(form, event.submitter));
  button.disabled = true;
  const response = await fetch(form.action, { method: "POST", body }).catch(() => null);
  button.disabled = false;
  if (!response) return alert("No connection. Nothing was sent; try again.");
  if (response.redirected) return location.replace(response.url);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const next = page.querySelector(`form[action="${form.getAttribute("action")}"]`);
  if (!response.ok && next) {
    for (const old of form.querySelectorAll(".error, [role=alert]")) old.remove();
    for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
    for (const error of next.querySelectorAll(".error")) {
      const field = document.getElementById(error.id.slice(0, -6)) ?? form.lastElementChild;
      field.setAttribute("aria-invalid", "true");
      field.setAttribute("aria-describedby", error.id);
      field.after(error);
    }
    form.prepend(...next.querySelectorAll("[role=alert]"));
    const key = form.querySelector("input[name=_key]");
    if (key) key.value = next.querySelector("input[name=_key]").value;
    (form.querySelector("[aria-invalid=true]") ?? button).focus();
  } else {
    document.querySelector("main").replaceWith(page.querySelector("main"));
    document.title = page.title;
    scrollTo(0, 0);
  }
});
