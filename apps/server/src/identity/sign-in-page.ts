import { createHash } from 'node:crypto';
import { PRODUCT_NAME } from '../config/config.ts';
import { html } from './html.ts';
import { signInStyle, type TypefaceFile } from './sign-in-style.ts';

/** The product's mark, as the console draws it. */
const mark = `<svg viewBox="0 0 32 32" aria-hidden="true">
<path class="body" stroke-width="1.8" d="M5 7v18c0 2.5 4.9 4.5 11 4.5S27 27.5 27 25V7"/>
<path class="band" d="M5.9 13.6c1.7 2 5.6 3.3 10.1 3.3s8.4-1.3 10.1-3.3v8c-1.7 2-5.6 3.3-10.1 3.3S7.6 23.6 5.9 21.6z"/>
<ellipse class="lid" stroke-width="1.8" cx="16" cy="7" rx="11" ry="4.5"/>
<ellipse class="line" stroke-width="1.2" stroke-opacity=".4" cx="16" cy="7.2" rx="6.6" ry="2.1"/>
</svg>`;

interface SignInPage {
  readonly html: string;
  /** Allows the page's one style block in its policy. */
  readonly styleHash: string;
}

/**
 * The embedded provider's sign-in page, in the look of /login. Two scripts of the console may join it: `boot.js` names the theme, and
 * `sign-in.js` offers the accounts that this browser has signed in with. Without them it works as well.
 */
export function signInPage(options: {
  action: string;
  login: string;
  problem: string | undefined;
  knownNames: readonly string[];
  typeface: readonly TypefaceFile[];
}): SignInPage {
  const { problem, typeface } = options;
  const described = problem === undefined ? 'hint' : 'problem hint';
  const style = signInStyle(typeface);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${typeface
  // The page's own words need the last part; the others come when a name has their letters.
  .slice(-1)
  .map(({ address }) => html`<link rel="preload" as="font" type="font/woff2" href="${address}" crossorigin>`)}
<title>Sign in to ${PRODUCT_NAME}</title>
<style>${html.raw(style)}</style>
<script src="/boot.js"></script>
<script src="/sign-in.js" defer></script>
</head>
<body>
<main>
${html.raw(mark)}
<h1>Sign in to ${PRODUCT_NAME}</h1>
<p class="about">This is the sign-in that ships with the product.</p>
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
  return { html: page, styleHash: `'sha256-${createHash('sha256').update(style).digest('base64')}'` };
}
