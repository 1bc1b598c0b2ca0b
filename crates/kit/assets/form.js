// Sends forms and shows refusals in the page.

addEventListener("submit", async (event) => {
  const form = event.target;
  const action = form.getAttribute("action");
  if (form.method !== "post" || form.dataset.queued === "" || event.defaultPrevented || form.attributes.enctype || !action.startsWith("/")) return;
  event.preventDefault();
  const button = event.submitter ?? form.querySelector("button");
  const body = new URLSearchParams(new FormData(form, button));
  button.disabled = true;
  const response = await fetch(action, { method: "POST", body }).catch(() => null);
  button.disabled = false;
  if (!response) {
    if (!form.dataset.queued) return alert("No connection. Try again.");
    form.dataset.queued = "";
    form.requestSubmit(button);
    form.dataset.queued = "later";
    return;
  }
  if (response.redirected) return location.replace(response.url);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const next = page.querySelector(`form[action="${action}"]`);
  if (response.ok || !next) {
    document.querySelector("main").replaceWith(page.querySelector("main"));
    document.title = page.title;
    return scrollTo(0, 0);
  }
  for (const old of form.querySelectorAll(".error, [role=alert]")) old.remove();
  for (const field of form.elements) field.ariaInvalid = null;
  for (const error of next.querySelectorAll(".error")) {
    const field = document.getElementById(error.id.slice(0, -6)) ?? form.lastElementChild;
    field.ariaInvalid = "true";
    field.setAttribute("aria-describedby", error.id);
    field.after(error);
  }
  form.prepend(...next.querySelectorAll("[role=alert]"));
  form.elements._key?.replaceWith(next.elements._key);
  (form.querySelector("[aria-invalid]") ?? button).focus();
});
