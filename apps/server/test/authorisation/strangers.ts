/** Somebody who calls with something that is no valid session. */
export interface Stranger {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Added to the address. */
  readonly query?: string;
}

/** Secrets of one user that are not, or not any more, a bearer token. */
export interface DeadSecrets {
  readonly userId: string;
  /** A bearer token that is valid, to be tampered with. */
  readonly valid: string;
  readonly expired: string;
  readonly signedOut: string;
  /** What the database keeps of the valid token. */
  readonly hash: string;
  readonly gitToken: string;
  readonly revokedGitToken: string;
  /** API token that is valid where such tokens are. */
  readonly apiToken: string;
  readonly deletedApiToken: string;
  readonly expiredApiToken: string;
  /** Single-use token of /login that nobody has used. */
  readonly signInToken: string;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The character that differs in one bit of the six that base64url gives it. */
function flip(character: string, bit: number): string {
  return LETTERS.charAt(LETTERS.indexOf(character) ^ (1 << bit));
}

function flippedAt(token: string, index: number, bit: number): string {
  return token.slice(0, index) + flip(token.charAt(index), bit) + token.slice(index + 1);
}

function swapCase(text: string): string {
  return [...text].map((one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase())).join('');
}

/** A token of another kind that names the user and asks to be believed. */
function unsigned(userId: string, algorithm: string): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { sub: userId, id: userId, exp: 4_102_444_800 };
  return `${part({ alg: algorithm, typ: 'JWT' })}.${part(claims)}.`;
}

function password(secret: string): string {
  return `Basic ${Buffer.from(`ada:${secret}`).toString('base64')}`;
}

/** The same in the cookie that pages opened by address read. */
export function strangeCookiesOf({
  valid,
  expired,
  signedOut,
  hash,
  gitToken,
  apiToken,
}: DeadSecrets): Stranger[] {
  const cookies = {
    expired,
    'signed out': signedOut,
    'one bit changed': flippedAt(valid, Math.floor(valid.length / 2), 0),
    'other case': swapCase(valid),
    'its hash': hash,
    'an access token for git': gitToken,
    'an API token': apiToken,
    empty: '',
  };
  return Object.entries(cookies).map(([name, token]) => ({
    name: `cookie: ${name}`,
    headers: { cookie: `token=${token}` },
  }));
}

/** Everybody who must be told nothing but that they are not signed in. */
export function strangersOf(secrets: DeadSecrets): Stranger[] {
  const { valid, expired, signedOut, userId } = secrets;
  const middle = Math.floor(valid.length / 2);
  const last = valid.length - 1;
  const tokens: Record<string, string> = {
    expired,
    'signed out': signedOut,
    'first character changed': flippedAt(valid, 0, 5),
    'one bit in the middle changed': flippedAt(valid, middle, 0),
    'last character changed': flippedAt(valid, last, 5),
    // 32 bytes leave bits of the last character unused.
    'the same bytes spelled otherwise': flippedAt(valid, last, 0),
    'other case': swapCase(valid),
    'lower case': valid.toLowerCase(),
    reversed: [...valid].toReversed().join(''),
    'one character short': valid.slice(0, -1),
    'one character more': `${valid}A`,
    padded: `${valid}=`,
    twice: `${valid},${valid}`,
    'two words': `${valid} ${valid}`,
    quoted: `"${valid}"`,
    'with %-signs': `%${valid.charCodeAt(0).toString(16)}${valid.slice(1)}`,
    'very long': valid.repeat(20),
    'its hash': secrets.hash,
    'an access token for git': secrets.gitToken,
    'a deleted API token': secrets.deletedApiToken,
    'an expired API token': secrets.expiredApiToken,
    'an API token with one bit changed': flippedAt(secrets.apiToken, 20, 0),
    'the prefix of an API token before a session': `cnry_api_${valid}`,
    'a sign-in token': secrets.signInToken,
    'the user id': userId,
    'no algorithm': unsigned(userId, 'none'),
    'another algorithm': `${unsigned(userId, 'HS256')}c2lnbmF0dXJl`,
  };
  const authorizations: Record<string, string> = {
    'an empty header': '',
    'no token': 'Bearer',
    'no scheme': valid,
    'Basic for Bearer': `Basic ${valid}`,
    'user and password': password(valid),
    'an API token as password': password(secrets.apiToken),
    'a revoked access token': password(secrets.revokedGitToken),
    'an access token with one bit changed': password(flippedAt(secrets.gitToken, 20, 0)),
    'Token for Bearer': `Token ${valid}`,
    'two spaces': `Bearer  ${valid}`,
    'a tab': `Bearer\t${valid}`,
    'the scheme twice': `Bearer Bearer ${valid}`,
  };
  return [
    { name: 'anonymous', headers: {} },
    ...Object.entries(tokens).map(([name, token]) => ({
      name,
      headers: { authorization: `Bearer ${token}` },
    })),
    ...Object.entries(authorizations).map(([name, authorization]) => ({
      name,
      headers: { authorization },
    })),
    { name: 'a cookie', headers: { cookie: `token=${valid}` } },
    { name: 'another header', headers: { 'x-auth-token': valid, 'proxy-authorization': `Bearer ${valid}` } },
    { name: 'a name from a proxy', headers: { 'x-forwarded-user': 'ada', 'x-remote-user': userId } },
    { name: 'another address', headers: { 'x-original-url': '/api/health', 'x-rewrite-url': '/api/health' } },
    { name: 'another method', headers: { 'x-http-method-override': 'OPTIONS' } },
    {
      name: 'a socket',
      headers: { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
    },
    { name: 'a stream', headers: { accept: 'text/event-stream', 'last-event-id': '1' } },
    { name: 'a query', headers: {}, query: `token=${valid}&access_token=${valid}` },
    { name: 'an API token in the query', headers: {}, query: `token=${secrets.apiToken}` },
  ];
}
