// Reports where the phone is, as long as people agree.

const form = document.getElementById("position");
const body = new URLSearchParams(new FormData(form));
const button = form.querySelector("button");
const idle = button.textContent;
let timer;
const show = (text) => { button.textContent = timer ? text : idle; };

const send = ({ coords }) => {
  for (const name of ["latitude", "longitude"]) body.set(name, coords[name]);
  if (timer) fetch(form.action, { method: "POST", body }).then(() => show("Position shared. Stop"), () => show("No connection"));
};
const look = () => navigator.geolocation.getCurrentPosition(send, (error) => show(error.message));

form.onsubmit = (event) => {
  event.preventDefault();
  clearInterval(timer);
  timer = timer ? 0 : setInterval(look, 10000);
  sessionStorage.position = timer || "";
  show("…");
  if (timer) look();
};
if (sessionStorage.position) form.requestSubmit();
