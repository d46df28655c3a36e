import { createHash } from 'node:crypto';
import { DASHBOARD_SCRIPT } from './dashboard-script.ts';

const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f7f6f3; --surface: #fff; --ink: #1b1f24; --muted: #5b6470; --line: #e3e1dc; --accent: #2f5bea;
  --ok: #157347; --warn: #b45309; --bad: #b42318;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #111317; --surface: #181b20; --ink: #e8eaed; --muted: #a3abb6; --line: #2c313a; --accent: #8fa8ff;
    --ok: #4ade80; --warn: #fbbf24; --bad: #f97066;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 14px/1.45 system-ui, sans-serif; }
main { max-width: 1280px; margin: 0 auto; padding: 24px; }
h1 { font-size: 20px; margin: 0; }
h2 { font-size: 16px; margin: 32px 0 12px; }
header { display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: baseline; }
.muted { color: var(--muted); }
.mono { font-family: ui-monospace, monospace; font-size: 13px; }
#notice { color: var(--warn); margin: 8px 0 0; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(160px, 1fr)); gap: 12px; margin: 16px 0 0; }
dl div { background: var(--surface); border: 1px solid var(--line); border-radius: 8px; padding: 12px 16px; }
dt { color: var(--muted); font-size: 13px; }
dd { margin: 2px 0 0; font-size: 20px; font-variant-numeric: tabular-nums; }
dd small { display: block; font-size: 12px; color: var(--muted); }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 9px 16px; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
thead th { border-top: 0; font-size: 13px; font-weight: 500; color: var(--muted); }
.number { text-align: right; white-space: nowrap; }
.status::before { content: ''; display: inline-block; width: 8px; height: 8px; border-radius: 4px; margin-right: 8px;
  background: var(--muted); }
.status.running::before { background: var(--ok); }
.status.stopping::before { background: var(--warn); }
.status.stopped::before { background: var(--bad); }
form, nav { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin: 0 0 12px; }
nav { margin: 12px 0 0; }
input { flex: 1 1 260px; max-width: 340px; }
input, button { font: inherit; color: inherit; background: var(--surface); border: 1px solid var(--line); border-radius: 6px;
  padding: 0 12px; min-height: 36px; }
button { cursor: pointer; }
button:disabled { color: var(--muted); cursor: default; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
@media (max-width: 720px) {
  main { padding: 16px; }
  dl { grid-template-columns: 1fr 1fr; }
  dd { font-size: 16px; }
  input, button { min-height: 44px; }
  thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  tr { display: block; padding: 8px 16px; border-top: 1px solid var(--line); }
  tbody tr:first-child { border-top: 0; }
  td, td.number { display: flex; justify-content: space-between; gap: 16px; border: 0; padding: 3px 0; text-align: right;
    white-space: normal; }
  td::before { content: attr(data-label); color: var(--muted); flex: none; }
}
`;

const BODY = `
<main>
<header><h1>Network</h1><span class="muted mono" id="subnet"></span><span class="muted" id="time"></span></header>
<p id="notice" role="status"></p>
<dl id="tiles"></dl>
<h2>Methods</h2>
<p class="muted">Those that used the most instructions since the network was started. Cycles are for instructions and calls, and burned.</p>
<div class="card"><table aria-label="Methods"><thead><tr>
<th scope="col">Canister</th><th scope="col">Method</th><th scope="col">Kind</th><th scope="col" class="number">Executions</th>
<th scope="col" class="number">Instructions</th><th scope="col" class="number">Cycles</th>
</tr></thead><tbody id="methods"></tbody></table></div>
<h2>Canisters</h2>
<form id="find"><input id="wanted" aria-label="Canister ID" placeholder="Canister ID" autocomplete="off" spellcheck="false">
<button>Find</button><button type="button" id="all">Show all</button></form>
<div class="card"><table aria-label="Canisters"><thead><tr>
<th scope="col">Canister</th><th scope="col">Status</th><th scope="col">Module</th><th scope="col" class="number">Memory</th>
<th scope="col" class="number">Balance</th><th scope="col" class="number">Cycles used</th><th scope="col" class="number">Waiting</th>
<th scope="col" class="number">Queries</th>
</tr></thead><tbody id="canisters"></tbody></table></div>
<nav aria-label="Pages of canisters"><button id="before">Previous</button><button id="after">Next</button>
<span class="muted" id="place"></span></nav>
</main>
`;

/** The page, which is the same for everybody: what it shows it asks for. */
export const DASHBOARD_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Network</title>
<style>${STYLE}</style>
</head>
<body>${BODY}<script>${DASHBOARD_SCRIPT}</script>
</body>
</html>
`;

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing runs in it but its own script: not even what this address serves, which may be a file of a canister. */
export const DASHBOARD_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    `script-src ${hash(DASHBOARD_SCRIPT)}`,
    `style-src ${hash(STYLE)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
};
