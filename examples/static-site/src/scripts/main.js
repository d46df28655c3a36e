// Shows the visitor's own time, once a minute.
const clock = document.querySelector('[data-clock]');

function tick() {
  const now = new Date();
  clock.dateTime = now.toISOString();
  clock.textContent = now.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
}

if (clock) {
  tick();
  setInterval(tick, 60_000);
}
