import { describe, expect, test } from 'vitest';
import { AssetConfigurations } from './asset-configuration.ts';
import { parseAssetRules } from './asset-rules.ts';

function configurations(files: Record<string, string>): AssetConfigurations {
  return new AssetConfigurations(
    new Map(Object.entries(files).map(([folder, text]) => [folder, parseAssetRules(text, 'rules')])),
  );
}

describe('what rules say of a path', () => {
  test('nothing: the defaults', () => {
    expect(configurations({}).of('index.html')).toMatchObject({
      allowRawAccess: true,
      maxAge: undefined,
      headers: undefined,
    });
  });

  test('later rules and inner folders go before, fields that are not set stay', () => {
    const site = configurations({
      '': `[
        // JSON5: comments, single quotes and commas at the end
        { match: '**/*', cache: { max_age: 60 }, headers: { 'X-A': '1', 'X-B': 2 }, enable_aliasing: false },
        { match: '*.js', headers: { 'X-B': true }, allow_raw_access: false, },
      ]`,
      'lib/inner': '[{ "match": "*.js", "cache": {}, "encodings": ["brotli", "identity"] }]',
    });
    expect(site.of('lib/a.js')).toMatchObject({
      maxAge: 60,
      headers: [
        ['X-A', '1'],
        ['X-B', 'true'],
      ],
      enableAliasing: false,
      allowRawAccess: false,
      encodings: undefined,
    });
    expect(site.of('lib/inner/a.js')).toMatchObject({ maxAge: undefined, encodings: ['br', 'identity'] });
    expect(site.of('lib/inner/a.css').maxAge).toBe(60);
    expect(site.unused()).toEqual([]);
  });

  test('null takes headers away', () => {
    const site = configurations({
      '': "[{match:'*',headers:{a:'1'}},{match:'x',headers:null},{match:'y',headers:{}}]",
    });
    expect([site.of('x').headers, site.of('y').headers]).toEqual([undefined, [['a', '1']]]);
  });

  test("a policy adds its headers, and the site's own go before", () => {
    const site = configurations({
      '': "[{match:'*',security_policy:'hardened',headers:{'x-frame-options':'SAMEORIGIN'}},{match:'b',security_policy:'disabled'}]",
    });
    const headers = new Map(site.of('a').headers);
    expect([headers.size, headers.get('x-frame-options'), headers.get('X-Frame-Options')]).toEqual([
      7,
      'SAMEORIGIN',
      undefined,
    ]);
    expect(headers.get('Content-Security-Policy')).toMatch(
      /^default-src 'self';script-src 'self';.*upgrade-insecure-requests;$/,
    );
    expect(headers.get('Permissions-Policy')).toContain('accelerometer=(), ambient-light-sensor=(), ');
    expect(site.of('b').headers).toEqual([['x-frame-options', 'SAMEORIGIN']]);
  });

  test('rules that match nothing are told', () => {
    const site = configurations({ '': "[{match:'*.css'},{match:'*.js'}]", sub: "[{match:'x'}]" });
    site.of('a.css');
    expect(site.unused()).toEqual([
      { folder: '', pattern: '*.js' },
      { folder: 'sub', pattern: 'x' },
    ]);
  });
});

describe('what is published', () => {
  test.each([
    ['index.html', true],
    ['.well-known/ic-domains', true],
    ['.well-known/.secret', false],
    ['.DS_Store', false],
    ['.github/workflow.yml', false],
    ['a/.ic-assets.json5', false],
    ['.ic-assets.json', false],
  ])('%s without rules: %s', (path, published) => {
    expect(configurations({}).publishes(path)).toBe(published);
  });

  test('rules publish hidden files and leave others away, with all that is in a folder', () => {
    const site = configurations({
      '': "[{match:'.shown',ignore:false},{match:'.shown/**',ignore:false},{match:'drafts',ignore:true},{match:'*.map',ignore:true}]",
    });
    const publishes = ['.shown/a', '.other', 'drafts/a.html', 'a.js.map', 'a.js'].map((path) =>
      site.publishes(path),
    );
    expect(publishes).toEqual([true, false, false, false, true]);
  });
});

describe('rules that cannot be used', () => {
  test.each([
    ['{', 'invalid end of input'],
    ['{}', 'it is not a list of rules'],
    ['[1]', 'a rule is not an object'],
    ['[{}]', "a rule has no 'match'"],
    ["[{match:'*',cached:1}]", "'cached' is not a field"],
    ["[{match:'[',}]", 'is not closed'],
    ["[{match:'*',cache:5}]", "'cache' is not an object"],
    ["[{match:'*',cache:{max_age:-1}}]", "'max_age' is not a whole number"],
    ["[{match:'*',headers:{a:[]}}]", "the header 'a'"],
    ["[{match:'*',ignore:'yes'}]", "'ignore' is neither true nor false"],
    ["[{match:'*',encodings:['zip']}]", "'zip'"],
    ["[{match:'*',security_policy:'strict'}]", "'security_policy' is not one of"],
  ])('%s', (text, message) => {
    expect(() => parseAssetRules(text, 'a/.ic-assets.json5')).toThrow(message);
    expect(() => parseAssetRules(text, 'a/.ic-assets.json5')).toThrow('a/.ic-assets.json5 cannot be used');
  });
});
