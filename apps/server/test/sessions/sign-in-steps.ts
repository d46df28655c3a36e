import { hashSecret } from '../../src/secrets.ts';
import { type Answer, Browser, exchange } from '../support/client.ts';

/** A sign-in up to the address that the provider sends the browser back to. */
export async function callbackOf(url: string, browser: Browser, login: string): Promise<URL> {
  const page = await browser.follow(`${url}/api/auth/google/`);
  let response = await browser.visit(page.url.href, { method: 'POST', body: new URLSearchParams({ login }) });
  for (;;) {
    const location = new URL(response.headers.get('location') ?? '/no-location', url);
    if (location.pathname === '/no-location') throw new Error(`The way back ends with ${response.status}.`);
    if (location.pathname.endsWith('/callback')) return location;
    response = await browser.visit(location.href);
  }
}

/** A sign-in up to the single-use token. */
export async function tokenOf(url: string, browser: Browser, login: string): Promise<string> {
  return (await browser.signIn(url, login)).searchParams.get('token') ?? '';
}

/** What the provider is asked when a sign-in begins. */
export async function authorization(url: string, browser: Browser): Promise<URL> {
  const start = await browser.visit(`${url}/api/auth/google/`);
  return new URL(start.headers.get('location') ?? '');
}

/** An address with other values in its query; undefined leaves one out. */
export function changed(url: URL, values: Readonly<Record<string, string | undefined>>): URL {
  const other = new URL(url);
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) other.searchParams.delete(name);
    else other.searchParams.set(name, value);
  }
  return other;
}

/** Ways to use a single-use token that somebody else's browser got. */
export const thieves: Record<string, (url: string, victim: Browser, token: string) => Promise<Answer>> = {
  'in a browser without cookies': (url, _victim, token) => exchange(url, token),
  'in a browser with another sign-in': async (url, _victim, token) => {
    const thief = new Browser();
    await authorization(url, thief);
    return exchange(url, token, thief);
  },
  'in a browser that is signed in as another': async (url, _victim, token) => {
    const thief = new Browser();
    await exchange(url, await tokenOf(url, thief, 'thief'), thief);
    return exchange(url, token, thief);
  },
  'with a made-up cookie': (url, _victim, token) =>
    exchange(url, token, Browser.with({ 'sign-in': 'A'.repeat(43) })),
  'with the hash of the cookie': (url, victim, token) =>
    exchange(url, token, Browser.with({ 'sign-in': hashSecret(victim.cookie('sign-in') ?? '') })),
  'with an empty cookie': (url, _victim, token) => exchange(url, token, Browser.with({ 'sign-in': '' })),
  'with the token as cookie': (url, _victim, token) =>
    exchange(url, token, Browser.with({ 'sign-in': token, token })),
};
