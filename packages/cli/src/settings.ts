import { usageError } from './cli-error.ts';

/** Where the server is, and what lets the program call it. */
export interface Settings {
  /** Address of the API, without a slash at its end. */
  readonly base: string;
  readonly token: string;
}

/** What may be in a header: a token with anything else in it was not copied whole. */
const TOKEN = /^[\x21-\x7e]{1,512}$/;

/**
 * Takes address and token from the environment.
 * @param url instead of CANNERY_URL
 * @throws CliError (wrong use); its message holds no part of the token
 */
export function readSettings(env: NodeJS.ProcessEnv, url = env['CANNERY_URL']): Settings {
  const token = (env['CANNERY_TOKEN'] ?? '').trim();
  if (!url) throw usageError('Set CANNERY_URL to the address of Cannery, or give it with --url.');
  if (token === '') throw usageError('Set CANNERY_TOKEN to an API token. The Account page creates one.');
  if (!TOKEN.test(token))
    throw usageError('CANNERY_TOKEN is not an API token: it has characters that no token has.');
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address === undefined || !/^https?:$/.test(address.protocol)) {
    throw usageError('The address of Cannery has to begin with https:// or http://.');
  }
  if (address.username !== '' || address.password !== '') {
    throw usageError('The address of Cannery must not hold a name or a password.');
  }
  return { base: `${address.origin}${address.pathname.replace(/(?<!\/)\/+$/, '')}/api`, token };
}
