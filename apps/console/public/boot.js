// Runs before anything is painted, as a file of its own because the page's Content-Security-Policy allows no inline script.
(() => {
  // Without this the schema library probes `new Function`, which the policy blocks and reports.
  globalThis.__zod_globalConfig = { jitless: true };
  try {
    const theme = localStorage.getItem('theme');
    if (['default', 'secondary', 'success', 'dark'].includes(theme)) {
      document.documentElement.dataset.theme = theme;
    }
  } catch {
    // Storage may be forbidden; the default theme stays.
  }
})();
