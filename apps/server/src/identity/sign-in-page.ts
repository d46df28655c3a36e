import { createHash } from 'node:crypto';
import { PRODUCT_NAME } from '../config.ts';
import { html } from './html.ts';

const style = `
:root { color-scheme: light dark; --ink: #14181f; --soft: #5b6472; --paper: #f5f6f8; --card: #fff; --line: #d9dde3;
  --accent: #3b4bdb; --accent-ink: #fff; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #eef0f4; --soft: #a2abb9; --paper: #10131a; --card: #191e28;
  --line: #323a48; --accent: #8b98ff; --accent-ink: #10131a; --bad: #ff8a80; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px; background: var(--paper);
  color: var(--ink); font: 16px/1.5 "Instrument Sans Variable", system-ui, sans-serif; }
main { width: 100%; max-width: 400px; background: var(--card); border: 1px solid var(--line); border-radius: 16px;
  padding: 32px; box-shadow: 0 1px 2px rgb(0 0 0 / 4%), 0 12px 32px rgb(0 0 0 / 8%); }
h1 { margin: 0 0 4px; font-size: 22px; line-height: 1.25; letter-spacing: -0.01em; }
p { margin: 0 0 20px; color: var(--soft); }
label { display: block; margin-bottom: 6px; font-weight: 600; font-size: 14px; }
input { width: 100%; height: 44px; padding: 0 12px; font: inherit; color: inherit; background: transparent;
  border: 1px solid var(--line); border-radius: 10px; }
input[aria-invalid="true"] { border-color: var(--bad); }
.problem { margin: 8px 0 0; color: var(--bad); font-size: 14px; }
.actions { display: flex; gap: 12px; margin-top: 24px; }
button { flex: 1; height: 44px; font: inherit; font-weight: 600; border-radius: 10px; cursor: pointer;
  border: 1px solid var(--line); background: transparent; color: inherit; }
button.primary { border-color: transparent; background: var(--accent); color: var(--accent-ink); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
small { display: block; margin-top: 20px; color: var(--soft); font-size: 13px; }
`;

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
<small id="hint">Type any name: a new one opens a new account, a known one its own. There is no password, so this works on this
computer only.</small>
</main>
</body>
</html>`.text;
}
