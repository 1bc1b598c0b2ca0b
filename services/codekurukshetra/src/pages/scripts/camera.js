// Reads QR codes with the camera, and sends each as if it was typed.

const start = document.getElementById("camera");
const video = document.querySelector("video");
const field = document.querySelector("input[name=code]");

if ("BarcodeDetector" in window && navigator.mediaDevices) {
  start.hidden = false;
  start.onclick = async () => {
    start.hidden = true;
    const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } }).catch(() => null);
    if (!stream) return;
    video.srcObject = stream;
    video.hidden = false;
    await video.play();
    const detector = new BarcodeDetector({ formats: ["qr_code"] });
    let last;
    setInterval(async () => {
      const [found] = await detector.detect(video).catch(() => []);
      const code = found?.rawValue.match(/[?&]code=([\w-]+)/)?.[1];
      if (!code || code === last) return;
      last = code;
      navigator.vibrate?.(80);
      field.value = code;
      field.form.requestSubmit();
    }, 250);
  };
}
