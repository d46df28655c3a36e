import { describe, expect, test } from 'vitest';
import { addressesOf, configOf } from './config.ts';
import { type Env, options, readEnv } from './env.ts';
import { StartError } from '../errors.ts';

/** What each kind of setting takes behind host and port. */
const kinds = {
  origin: { path: false, query: false, fragment: false, secure: false },
  'https origin': { path: false, query: false, fragment: false, secure: true },
  base: { path: true, query: false, fragment: false, secure: false },
  'https base': { path: true, query: false, fragment: false, secure: true },
  page: { path: true, query: true, fragment: true, secure: false },
};

/** Every setting that is one address. */
const settings = [
  ['PUBLIC_URL', 'origin'],
  ['CONSOLE_URL', 'origin'],
  ['IC_URL', 'origin'],
  ['INTERNAL_URL', 'origin'],
  ['NETWORK_PUBLIC_URL', 'origin'],
  ['MOPS_REGISTRY_URL', 'origin'],
  ['GITHUB_URL', 'https origin'],
  ['API_URL', 'base'],
  ['CRATES_INDEX_URL', 'base'],
  ['OIDC_ISSUER', 'base'],
  ['BLOBS_S3_URL', 'base'],
  ['GITHUB_API_URL', 'https base'],
  ['GIT_INSTALL_URL', 'page'],
  ['SUPPORT_URL', 'page'],
] as const;

/** Every setting that is a pattern, with a good value. */
const patterns = [
  ['CANISTER_URL_PATTERN', 'https://{canisterId}.sites.example/'],
  ['CANDID_URL_PATTERN', 'https://candid.example/?id={canisterId}'],
  ['GIT_ACCOUNT_URL_PATTERN', 'https://git.example/{owner}'],
  ['GIT_REPOSITORY_URL_PATTERN', 'https://git.example/{owner}/{repo}'],
  ['GIT_TREE_URL_PATTERN', 'https://git.example/{owner}/{repo}/tree/{branch}'],
] as const;

const hostLists = ['GIT_HOSTS', 'EGRESS_HOSTS', 'EGRESS_PRIVATE_HOSTS'] as const;

const read = (name: keyof Env, value: string) => readEnv({ [name]: value })[name];
const refusal = (name: keyof Env, value: string): string => {
  try {
    read(name, value);
    return 'taken';
  } catch (error) {
    expect(error).toBeInstanceOf(StartError);
    return (error as Error).message;
  }
};

test('every setting whose name says that it is an address is in these tables', () => {
  const tested = [...settings, ...patterns]
    .map(([name]) => name as string)
    .concat(hostLists, 'DATABASE_URL', 'NETWORK_HOSTS', 'IC_FALLBACK_URLS');
  const named = Object.keys(options).filter((name) => /URL|ISSUER|HOSTS/.test(name));
  expect(named.filter((name) => !tested.includes(name))).toEqual([]);
});

describe.each(settings)('%s', (name, kind) => {
  const takes = kinds[kind];

  test.each([
    ['https://example.org', 'https://example.org'],
    ['https://example.org/', 'https://example.org'],
    ['https://example.org:8443', 'https://example.org:8443'],
    ['HTTPS://Example.ORG', 'https://example.org'],
    ['https://[fd00::1]:8443', 'https://[fd00::1]:8443'],
    ['https://192.0.2.1', 'https://192.0.2.1'],
  ])('%s is served', (value, shown) => {
    // An issuer and a page stay as they are written; the others become what browsers write.
    expect(String(read(name, value)).toLowerCase().replace(/\/$/, '')).toBe(shown);
    if (kind !== 'page' && name !== 'OIDC_ISSUER') expect(read(name, value)).toBe(shown);
  });

  test.each([
    ['https://ada:secret@example.org', 'must have no user name'],
    ['https://ada@example.org', 'must have no user name'],
    ['https://:secret@example.org', 'must have no user name'],
    ['https://example.org:0', 'must not have port 0'],
    ['https://example.org:65536', 'address'],
    ['https://', 'address'],
    ['https://[::1', 'address'],
    ['https:/example.org', 'address'],
    ['https:\\\\example.org', 'address'],
    ['https://exa mple.org', 'address'],
    ['https://example.org\t', 'address'],
    ['example.org', 'address'],
    ['//example.org', 'address'],
    ['ftp://example.org', 'address'],
    ['javascript:alert(1)', 'address'],
    ['file:///etc/passwd', 'address'],
    ['https://{host}', 'has { or }'],
    ['https://example.org/%ff{', '{ or }'],
  ])('%j is refused in a sentence', (value, reason) => {
    const sentence = refusal(name, value);
    expect(sentence).toContain(`${name}: `);
    expect(sentence).toContain(reason);
  });

  test.each([
    ['path', 'https://example.org/cannery', /without a path.*instead of \/cannery/],
    ['path', 'https://example.org/a/b/', /without a path/],
    ['path', 'https://example.org/.%2f', /without a path/],
    ['query', 'https://example.org?a=b', /without \? and #/],
    ['query', 'https://example.org/?', /without \? and #/],
    ['fragment', 'https://example.org#a', /without/],
    ['fragment', 'https://example.org/#', /without/],
  ] as const)('a %s, as in %s, is served or refused with what to do', (part, value, reason) => {
    if (takes[part]) expect(refusal(name, value)).toBe('taken');
    else expect(refusal(name, value)).toMatch(reason);
  });

  test('http is refused where secrets travel', () => {
    if (takes.secure) expect(refusal(name, 'http://example.org')).toContain('must be an https address');
    else expect(refusal(name, 'http://example.org')).toBe('taken');
  });
});

describe.each(patterns)('%s', (name, good) => {
  test('takes a page for each', () => {
    expect(read(name, good)).toBe(good);
    expect(read(name, good.replace('https', 'HTTP').replace('.example', '.EXAMPLE:8080'))).toBe(
      good.replace('https', 'http').replace('.example', '.example:8080'),
    );
  });

  test.each([
    ['javascript:alert("{canisterId}{owner}{repo}{branch}")', 'address'],
    [good.replace('://', '://ada:secret@'), 'user name'],
    [good.replace('.example', '.example:0'), 'port 0'],
    [good.replace(/^https:\/\//, ''), 'address'],
    [good.replace(/\{\w+\}/, 'x'), 'must contain {'],
    [`${good}/{other}`, name === 'CANISTER_URL_PATTERN' ? '{' : 'has { or }'],
  ])('%s is refused in a sentence', (value, reason) => {
    expect(refusal(name, value)).toContain(`${name}: `);
    expect(refusal(name, value)).toContain(reason);
  });
});

test.each([
  'https://{canisterId}.sites.example/below',
  'https://{canisterId}.sites.example/?a=b',
  'https://{canisterId}/',
])('sites on hosts of canisters are served at the root: %s is refused', (value) =>
  expect(refusal('CANISTER_URL_PATTERN', value)).toMatch(/without a path behind it|must be/),
);

test('sites that the address names behind the host are taken', () => {
  const value = 'http://localhost:4943/?canisterId={canisterId}';
  expect(read('CANISTER_URL_PATTERN', value)).toBe(value);
});

describe.each(hostLists)('%s', (name) => {
  test.each([
    ['Example.ORG', [{ name: 'example.org', port: 443 }]],
    ['[FD00::1]:8443', [{ name: '[fd00::1]', port: 8443 }]],
  ])('%s is served', (value, hosts) => expect(read(name, value)).toEqual(hosts));

  test.each([
    'https://example.org',
    'example.org/path',
    'ada@example.org',
    'example.org:0',
    'example.org:65536',
    'example.org?a',
    'example.org#a',
    'fd00::1',
    '*.example.org',
  ])('%s is refused in a sentence', (value) =>
    expect(refusal(name, value)).toMatch(/must be hosts such as example.org or example.org:8443, not /),
  );
});

test('other addresses of the network are origins, by commas', () => {
  expect(read('IC_FALLBACK_URLS', 'https://ICP0.io, http://10.0.0.5:4943/')).toEqual([
    'https://icp0.io',
    'http://10.0.0.5:4943',
  ]);
  for (const [value, sentence] of [
    ['https://icp0.io/api', /must be an address without a path/],
    ['https://icp0.io,', /must be an http or https address/],
    [Array.from({ length: 9 }, () => 'https://icp0.io').join(), /must be 8 addresses at most/],
  ] as const)
    expect(refusal('IC_FALLBACK_URLS', value), value).toMatch(sentence);
});

test('what the console and its pages are told is what browsers write', () => {
  const env = readEnv({ PUBLIC_URL: 'HTTP://LOCALHOST:80/', NETWORK_PUBLIC_URL: 'http://LocalHost:4943/' });
  expect(addressesOf(configOf(env), { port: 1, networkPort: 2 })).toMatchObject({
    publicUrl: 'http://localhost',
    networkUrl: 'http://localhost:4943',
    candidUrlPattern: 'http://localhost/candid/?id={canisterId}',
  });
});
