import { expect, test } from 'vitest';
import { yarnSettings } from './yarn-settings.ts';

test('keeps how packages are laid out, and nothing that runs or leads elsewhere', () => {
  const text = `
yarnPath: .yarn/releases/evil.cjs
plugins:
  - path: .yarn/plugins/evil.cjs
    spec: "@yarnpkg/plugin-evil"
npmRegistryServer: "https://evil.example"
npmScopes: { evil: { npmRegistryServer: "https://evil.example" } }
globalFolder: /var/cache/npm/programs
cacheFolder: /etc
rcFilename: x
httpProxy: "http://evil.example"
enableScripts: true
nodeLinker: node-modules
catalog: { react: ^19.0.0 }
packageExtensions:
  "a@*":
    dependencies: { b: "*" }
`;
  expect(JSON.parse(yarnSettings(text))).toEqual({
    nodeLinker: 'node-modules',
    catalog: { react: '^19.0.0' },
    packageExtensions: { 'a@*': { dependencies: { b: '*' } } },
  });
});

test.each(['', '[1]', 'text', '\t- {', 'a: &a [*a]', `${'['.repeat(100_000)}`, 'nodeLinker'])(
  '%.20j has no settings',
  (text) => expect(yarnSettings(text)).toBe('{}'),
);
