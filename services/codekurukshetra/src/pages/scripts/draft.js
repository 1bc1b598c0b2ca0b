// Keeps what is typed into the registration until it is sent.

const { draft } = document.querySelector("[data-draft]").dataset;
const form = document.querySelector("[data-draft] form");
const fields = form ? [...form.elements].filter((field) => field.name && field.type !== "hidden") : [];
const isBox = (field) => /checkbox|radio/.test(field.type);

const kept = JSON.parse(localStorage.getItem(draft) ?? "{}");
for (const field of fields) {
  const value = kept[field.name];
  if (value === undefined) continue;
  if (isBox(field)) field.checked = value;
  else field.value ||= value;
}

// A page without the form is shown after the registration.
if (!form) localStorage.removeItem(draft);
form?.addEventListener("input", () => {
  for (const field of fields) kept[field.name] = isBox(field) ? field.checked : field.value;
  localStorage.setItem(draft, JSON.stringify(kept));
});
