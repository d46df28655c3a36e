import { createHash } from 'node:crypto';
import { PRODUCT_NAME } from '../config/config.ts';
import { html } from './html.ts';

/** The console's tokens and controls; this page is served apart from the console and cannot share its files. */
const style = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #5b6470; --paper: #f7f6f3; --card: #fff; --line: #e3e1dc;
  --control: #7f858d; --accent: #2f5bea; --accent-soft: #ecf0fd; --accent-ink: #fff; --bad: #b42318; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --soft: #a3abb6; --paper: #111317; --card: #181b20;
  --line: #2c313a; --control: #737d8a; --accent: #8fa8ff; --accent-soft: #262c3d; --accent-ink: #111317; --bad: #f97066; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px; background: var(--paper);
  color: var(--ink); font: 14px/1.5 "Instrument Sans Variable", system-ui, sans-serif; }
main { width: 100%; max-width: 380px; background: var(--card); border: 1px solid var(--line); border-radius: 8px;
  padding: 32px; }
svg { display: block; width: 44px; height: 44px; margin-bottom: 16px; }
.line { fill: none; stroke: var(--ink); } .body { fill: var(--accent-soft); stroke: var(--ink); }
.lid { fill: var(--card); stroke: var(--ink); } .band { fill: var(--accent); }
h1 { margin: 0 0 4px; font-size: 20px; line-height: 1.25; font-weight: 600; letter-spacing: -0.01em; }
p { margin: 0 0 20px; color: var(--soft); }
label { display: block; margin-bottom: 6px; font-weight: 500; font-size: 13px; }
input { width: 100%; height: 40px; padding: 0 12px; font: inherit; font-size: 16px; color: inherit;
  background: transparent; border: 1px solid var(--control); border-radius: 6px; }
input[aria-invalid="true"] { border-color: var(--bad); }
.problem { margin: 8px 0 0; color: var(--bad); font-size: 13px; }
.actions { display: flex; gap: 8px; margin-top: 20px; }
button { flex: 1; height: 40px; font: inherit; font-weight: 500; border-radius: 6px; cursor: pointer;
  border: 1px solid var(--control); background: transparent; color: inherit; }
button.primary { border-color: transparent; background: var(--accent); color: var(--accent-ink); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
small { display: block; margin-top: 20px; color: var(--soft); font-size: 12px; }
`;

/** The product's mark, as the console draws it. */
const mark = `<svg viewBox="0 0 32 32" aria-hidden="true">
<path class="body" stroke-width="1.8" d="M5 7v18c0 2.5 4.9 4.5 11 4.5S27 27.5 27 25V7"/>
<path class="band" d="M5.9 13.6c1.7 2 5.6 3.3 10.1 3.3s8.4-1.3 10.1-3.3v8c-1.7 2-5.6 3.3-10.1 3.3S7.6 23.6 5.9 21.6z"/>
<ellipse class="lid" stroke-width="1.8" cx="16" cy="7" rx="11" ry="4.5"/>
<ellipse class="line" stroke-width="1.2" stroke-opacity=".4" cx="16" cy="7.2" rx="6.6" ry="2.1"/>
</svg>`;

/** The page has no script; its one style block is allowed by its hash. */
export const SIGN_IN_STYLE_HASH = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

/** The embedded provider's sign-in page. */
export function signInPage(options: {
  action: string;
  login: string;
  problem: string | undefined;
  knownNames: readonly string[];
}): string {
  const { problem } = options;
  const described = problem === undefined ? 'hint' : 'problem hint';
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Sign in to ${PRODUCT_NAME}</title>
<style>${html.raw(style)}</style>
</head>
<body>
<main>
${html.raw(mark)}
<h1>Sign in to ${PRODUCT_NAME}</h1>
<p>This is the sign-in that ships with the product.</p>
<form method="post" action="${options.action}">
<label for="login">Your name</label>
<input id="login" name="login" type="text" value="${options.login}" autofocus autocomplete="username" autocapitalize="none"
  spellcheck="false" list="known" aria-describedby="${described}" aria-invalid="${problem === undefined ? 'false' : 'true'}">
<datalist id="known">${options.knownNames.map((name) => html`<option value="${name}"></option>`)}</datalist>
${problem === undefined ? '' : html`<div class="problem" id="problem" role="alert">${problem}</div>`}
<div class="actions">
<button class="primary" type="submit">Sign in</button>
<button type="submit" formaction="${options.action}/cancel" formnovalidate>Cancel</button>
</div>
</form>
<small id="hint">Type any name: a new name opens a new account, a known name opens its account. There is no password, so this works on this
computer only.</small>
</main>
</body>
</html>`.text;
}
