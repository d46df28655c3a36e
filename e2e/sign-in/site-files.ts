import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

async function bundle(entry: string): Promise<string> {
  await using made = await rolldown({
    cwd: fileURLToPath(new URL('site', import.meta.url)),
    input: entry,
    platform: 'browser',
  });
  const { output } = await made.generate({ format: 'esm', minify: true });
  return output[0].code;
}

const page = (script: string): string =>
  `<!doctype html><meta charset="utf-8"><title>A site</title><button>Sign in</button><output></output><script type="module" src="${script}"></script>`;

/** Asks in place of the window that has opened the sign-in, from a frame of the same site. */
const FRAME = `<!doctype html><script>
addEventListener('message', ({ data }) => {
  if (data !== 'ask') return;
  parent.signIn.postMessage({ jsonrpc: '2.0', id: 'frame', method: 'icrc25_permissions' }, '*');
  parent.signIn.postMessage({ jsonrpc: '2.0', id: 'frame', method: 'icrc34_delegation', params: { publicKey: 'AAAA' } }, '*');
});
</script>`;

/** A site that signs in with the clients as their packages have them; it allows its principals to `alternatives`. */
export async function siteFiles(alternatives?: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const [site, older] = await Promise.all(['site.ts', 'older-site.ts'].map(bundle));
  return {
    'index.html': page('site.js'),
    'older.html': page('older.js'),
    'frame.html': FRAME,
    'site.js': site ?? '',
    'older.js': older ?? '',
    ...(alternatives && {
      '.well-known/ii-alternative-origins': JSON.stringify({ alternativeOrigins: alternatives }),
    }),
  };
}
