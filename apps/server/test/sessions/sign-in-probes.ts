/** What hostile visitors of the sign-in send, as data. */

/** Changes to the address that the provider sends the browser back to; undefined leaves a part out. */
export const forgeries: Record<string, Readonly<Record<string, string | undefined>>> = {
  'no state': { state: undefined },
  'an empty state': { state: '' },
  'another state': { state: 's'.repeat(43) },
  'no code': { code: undefined },
  'another code': { code: 'c'.repeat(43) },
  'another issuer': { iss: 'https://accounts.evil.example' },
  'no issuer': { iss: undefined },
  'an error beside the code': { error: 'server_error' },
  'an ID token in the address': { id_token: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.', code: undefined },
  'markup for an error': {
    error: '<script>alert(1)</script>',
    error_description: '<b>x</b>',
    code: undefined,
  },
};

/** Where a code must not be sent. @param own the one address where it may */
export const redirects = (own: URL): string[] => [
  `http://localhost:4943${own.pathname}`,
  `http://localhost:1${own.pathname}`,
  `http://localhost${own.pathname}`,
  `http://127.0.0.1:${own.port}${own.pathname}`,
  `http://[::1]:${own.port}${own.pathname}`,
  `https://localhost:${own.port}${own.pathname}`,
  `${own.href}/`,
  `${own.href}/..`,
  `${own.href}?next=1`,
  `${own.href}#x`,
  `${own.href}%2f`,
  `${own.origin}/login`,
  `http://localhost:${own.port}@evil.example${own.pathname}`,
  `http://user@localhost:${own.port}${own.pathname}`,
  `http://localhost.:${own.port}${own.pathname}`,
  `http://a.localhost:${own.port}${own.pathname}`,
  `HTTP://LOCALHOST:${own.port}${own.pathname}`,
  `//localhost:${own.port}${own.pathname}`,
  own.pathname,
  'https://evil.example/api/auth/google/callback',
  'urn:ietf:wg:oauth:2.0:oob',
  'javascript:alert(1)',
];

/** What the provider is asked in other ways than by the console. */
export const authorizationRequests: Record<string, Readonly<Record<string, string | undefined>>> = {
  'without PKCE': { code_challenge: undefined, code_challenge_method: undefined },
  'with plain PKCE': { code_challenge_method: 'plain' },
  'for a token in the fragment': { response_type: 'token' },
  'for an ID token in the fragment': { response_type: 'id_token' },
  'for code and ID token': { response_type: 'code id_token' },
  'with an unsigned request object': { request: 'eyJhbGciOiJub25lIn0.e30.' },
  'with a request to fetch': { request_uri: 'https://evil.example/request' },
  'without a screen': { prompt: 'none' },
  'for another client': { client_id: 'another' },
};

/** Belongs to an attacker. */
export const evil = 'evil.example';

/** Addresses that would lead a browser away from the console if anything believed them. */
export const foreignAddresses = [
  `/auth/google/?redirect=//${evil}`,
  `/api/auth/google/?redirect_uri=https://${evil}/&next=https://${evil}&returnTo=//${evil}`,
  `/api/auth/google/callback?error=x&redirect=https://${evil}`,
  `/api/auth/google/callback?code=a&state=b&next=/\\${evil}`,
  `//${evil}`,
  `//${evil}/auth/google`,
  `/\\${evil}`,
  `/%2f%2f${evil}`,
  `/%5c${evil}`,
  `/login//${evil}`,
  `/auth/google/..//${evil}`,
  `/sign-in/x?next=//${evil}`,
  `/git/connect?state=//${evil}`,
];

/** Headers that name another host than the console's. */
export const falseHeaders: [string, Record<string, string>][] = [
  ['Host', { host: evil }],
  ['X-Forwarded-Host', { 'x-forwarded-host': evil, 'x-forwarded-proto': 'https' }],
  ['Forwarded', { forwarded: `host=${evil};proto=https` }],
  ['X-Host', { 'x-host': evil, 'x-original-host': evil, 'x-http-host-override': evil }],
  ['X-Original-URL', { 'x-original-url': `https://${evil}/`, 'x-rewrite-url': `//${evil}` }],
  ['Referer', { referer: `https://${evil}/`, origin: `https://${evil}` }],
];
