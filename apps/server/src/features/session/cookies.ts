import { SESSION_MS } from './store.ts';
import { ATTEMPT_MS } from './sign-in-store.ts';

/**
 * Cookies reach every port of a host, sites of canisters and other programs included, so none of them opens anything:
 * - `token` is a marker that says nothing (decision OP-05); the console reads it and clears it.
 * - `sign-in` names the browser of a sign-in under way. Whoever copies it needs the state and the code of that sign-in,
 *   or its single-use token, which only that browser gets.
 */
const MARKER = 'token=1';
const BROWSER = 'sign-in';
/** Where a sign-in comes back to, and where its token is exchanged. */
const BROWSER_PATH = '/api/auth';
/** By https no other host can plant the cookie; the prefix demands the path of all pages (RFC 6265bis, 4.1.3.2). */
const SECURE_BROWSER = `__Host-${BROWSER}`;

export interface SignInCookies {
  /** Set when a session begins. */
  readonly marked: string;
  readonly unmarked: string;
  /** Names the browser in which a sign-in begins. */
  begun(browser: string): string;
  /** The name of the browser among the cookies of a request; undefined when it is not one that the server makes. */
  browserOf(cookies: Readonly<Record<string, string | undefined>>): string | undefined;
  /** Forgets that name. */
  readonly ended: string;
}

/** The cookies the server sets itself. @param secure whether the console is reached by https */
export function signInCookies(secure: boolean): SignInCookies {
  const tail = `SameSite=Lax${secure ? '; Secure' : ''}`;
  const [name, path] = secure ? [SECURE_BROWSER, '/'] : [BROWSER, BROWSER_PATH];
  const browser = (value: string, seconds: number) =>
    `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; ${tail}`;
  return {
    marked: `${MARKER}; Path=/; Max-Age=${SESSION_MS / 1000}; ${tail}`,
    unmarked: `token=; Path=/; Max-Age=0; ${tail}`,
    begun: (value) => browser(value, ATTEMPT_MS / 1000),
    browserOf: (cookies) => {
      const value = cookies[name];
      return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined;
    },
    ended: browser('', 0),
  };
}
