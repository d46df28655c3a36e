// Runs before anything is painted, as a file of its own because the page's Content-Security-Policy allows no inline script.
(() => {
  // Without this the schema library probes `new Function`, which the policy blocks and reports.
  globalThis.__zod_globalConfig = { jitless: true };
  const system = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    try {
      if (localStorage.getItem('theme-follows') === 'system') {
        localStorage.setItem('theme', system.matches ? 'dark' : 'default');
      }
      const theme = localStorage.getItem('theme');
      if (['default', 'secondary', 'success', 'dark'].includes(theme)) {
        document.documentElement.dataset.theme = theme;
      }
    } catch {
      // Storage may be forbidden; the default theme stays.
    }
  };
  apply();
  system.addEventListener('change', apply);
})();

// A page that was left goes on running for a moment; its failing calls must not end the session.
addEventListener('pagehide', () => {
  document.documentElement.dataset.left = '';
});
addEventListener('pageshow', () => {
  delete document.documentElement.dataset.left;
});

// Without its program the page would stay white.
addEventListener(
  'error',
  ({ target }) => {
    const root = document.getElementById('root');
    if (!(target instanceof HTMLScriptElement) || root === null || root.childElementCount > 0) return;
    const text = document.createElement('p');
    text.setAttribute('role', 'alert');
    text.textContent = 'This page could not be loaded. Check the connection, then try again. ';
    const again = document.createElement('button');
    again.type = 'button';
    again.textContent = 'Try again';
    again.addEventListener('click', () => location.reload());
    root.replaceChildren(text, again);
  },
  true,
);
