// Reports where the phone is, if people agree.

const form = document.getElementById("position");
const body = new URLSearchParams(new FormData(form));
const button = form.querySelector("button");
const show = (text) => { button.textContent = text; };

const send = ({ coords }) => {
  for (const name of ["latitude", "longitude"]) body.set(name, coords[name]);
  fetch(form.action, { method: "POST", body }).then(() => show("Position shared"), () => show("No connection"));
};
const look = () => navigator.geolocation.getCurrentPosition(send, (error) => show(error.message));

form.onsubmit = (event) => {
  event.preventDefault();
  sessionStorage.position = button.disabled = true;
  look();
  setInterval(look, 10000);
};
if (sessionStorage.position) form.requestSubmit();
