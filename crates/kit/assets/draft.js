// Keeps what is typed into a form until it is sent.

const { draft } = document.querySelector("[data-draft]").dataset;
const form = document.querySelector("[data-draft] form");
if (form) {
  for (const [name, value] of new URLSearchParams(localStorage[draft])) {
    const field = form.elements[name];
    if (field?.type === "checkbox") field.checked = true;
    else if (field) field.value ||= value;
  }
  form.oninput = () => {
    const typed = [...new FormData(form)].filter(([name]) => form.elements[name].type !== "hidden");
    localStorage[draft] = new URLSearchParams(typed);
  };
} else delete localStorage[draft];
