// Reads QR codes with the camera, and sends them.

const start = document.getElementById("camera");
const video = document.querySelector("video");
const field = document.querySelector("[name=code]");

start.hidden = !(window.BarcodeDetector && navigator.mediaDevices);
start.onclick = async () => {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } }).catch(() => null);
  if (!stream) return;
  start.hidden = true;
  video.hidden = false;
  video.srcObject = stream;
  await video.play();
  const detector = new BarcodeDetector({ formats: ["qr_code"] });
  let last;
  setInterval(async () => {
    const [found] = await detector.detect(video).catch(() => []);
    const code = found?.rawValue.match(/\?code=([\w-]+)/)?.[1];
    if (!code || code === last) return;
    field.value = last = code;
    field.form.requestSubmit();
  }, 250);
};
