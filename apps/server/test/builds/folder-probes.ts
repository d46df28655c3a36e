import { chownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { listSite } from '../../src/builders/site/publish-directory.ts';
import { BuildError } from '../../src/builders/build-error.ts';
import type { TenantFolder } from '../../src/builders/tenant/tenant-folder.ts';
import type { TestWorkspace } from '../../src/builders/disks/workspace.testing.ts';
import type { HostCanary } from './host-canary.ts';

/** How a tenant makes `web` of its checkout lead to a folder of the host. */
export const plants: Readonly<Record<string, (source: string, host: string) => void>> = {
  'a link': (source, host) => symlinkSync(host, join(source, 'web')),
  'a link by dots': (source, host) => symlinkSync(relative(source, host), join(source, 'web')),
  'a link to a link': (source, host) => {
    symlinkSync(host, join(source, 'first'));
    symlinkSync('first', join(source, 'web'));
  },
  'a link by the root of a process': (source, host) =>
    symlinkSync(posix.join('/proc/1/root', host), join(source, 'web')),
  'a folder whose entries are links': (source, host) => {
    mkdirSync(join(source, 'web'));
    const { uid, gid } = statSync(source);
    chownSync(join(source, 'web'), uid, gid);
    for (const name of [
      'package.json',
      '.nvmrc',
      'yarn.lock',
      'node_modules',
      'dist',
      'index.html',
      'main.mo',
    ])
      symlinkSync(join(host, name), join(source, 'web', name));
  },
};

type Work = (source: TenantFolder, folders: TestWorkspace) => Promise<unknown>;

async function* contents(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

const ID = 'a'.repeat(40);
const blob = (text: string): string => `${ID} blob ${text.length}\n${text}\n`;
const entry = { path: 'package.json', size: 1, kind: 'file', objectId: ID } as const;

/** What the server does with folders of tenants, each with the path of something that is not the tenant's. */
export const folderWork: Readonly<Record<string, Work>> = {
  'reads a file': (source) => source.read('web/package.json', 10_000),
  'reads a file through links': (source) => source.read('web/package.json', 10_000, { links: true }),
  'reads the head of a file': (source) => source.read('web/.nvmrc', 8, { head: true }),
  'reads a text': (source) => source.textOf('web/index.html', 10_000),
  'reads several files': (source) => source.readAll(['web/package.json', 'web/dist/index.html'], 10_000),
  'asks what a file is': (source) => source.kindOf('web/package.json'),
  'asks whether there is a folder': (source) => source.isFolder('web/node_modules/honest'),
  'names folders': (source) => source.foldersIn('web/node_modules'),
  'lists files': (source) =>
    source.list(['.mo', '.html', '.js'], { within: 'web', skipped: [], most: 1_000 }),
  'lists files from above': (source) =>
    source.list(['.mo', '.html'], { within: '', skipped: [], most: 1_000 }),
  'takes hashes': (source) => source.hashesOf(['web/package.json', 'web/main.mo'], 10_000),
  'writes a file': (source) => source.write('web/package.json', 'mine'),
  'writes a new file': (source) => source.write('web/node_modules/new/file', 'mine'),
  'writes files': (source) => source.writeAll('web/dist', [{ path: 'new', bytes: Buffer.from('mine') }]),
  'writes files over others': (source) =>
    source.writeAll('web', [{ path: 'package.json', bytes: Buffer.from('mine') }]),
  'checks out': (source) => source.checkOut('web', [entry], contents(blob('x'))),
  'checks out deeper': (source) =>
    source.checkOut('web/dist', [{ ...entry, path: 'a/b' }], contents(blob('x'))),
  'makes folders': (source) => source.makeParents('web/node_modules/a/b'),
  'removes packages': (source) => source.remove('web/node_modules'),
  'removes a package': (source) => source.remove('web/node_modules/honest'),
  'moves packages away': (source, { kept }) =>
    source.move('web/node_modules', { folder: kept, path: 'moved' }),
  'moves a package away': (source, { kept }) =>
    source.move('web/node_modules/honest', { folder: kept, path: 'one' }),
  'moves packages there': async (source, { kept }) => {
    await kept.write('back/secret', 'mine');
    return kept.move('back', { folder: source, path: 'web/dist/back' });
  },
  'copies packages away': async (source, { kept }) => {
    await source.copy('web/node_modules', { folder: kept, path: 'copied' });
    return [
      await kept.textOf('copied/honest/index.js', 1_000),
      await kept.read('copied/honest/index.js', 1_000, { links: true }),
    ];
  },
  'copies packages there': async (source, { kept }) => {
    await kept.write('more/secret', 'mine');
    return kept.copy('more', { folder: source, path: 'web/node_modules/more' });
  },
  'takes a part of the checkout': async (source, { project }) => {
    await source.moveContents('web', project);
    return project.textOf('package.json', 1_000);
  },
  measures: (source) => source.bytes('web', 1e9),
  'notes and compares packages': async (source, { scratch }) => {
    await source.note('web/node_modules', { id: 'one', scratch });
    const limits = { mostEntries: 1_000, mostBytes: 1e9 };
    return source.ask({ op: 'compare', path: 'web/node_modules', id: 'one', ...limits });
  },
  'names what is installed': (source) =>
    source.ask({ op: 'keyOf', path: 'web', seed: 'x', names: ['package.json', 'yarn.lock'] }),
  'makes an entry young': (source) => source.ask({ op: 'touch', path: 'web/yarn.lock' }),
  'makes a file': (source) => source.ask({ op: 'touch', path: 'web/new' }),
  'forgets the oldest': async (_source, { kept, disk }) => {
    writeFileSync(join(disk.kept, 'a.copied'), '');
    return kept.ask({ op: 'forget', except: 'part-', most: 0, mark: '.copied', mostMarks: 0 });
  },
  'follows a registry': (source) =>
    source.ask({ op: 'followRegistry', path: 'web/yarn.lock', registry: 'http://evil/', most: 1e6 }),
  'lists a site': async (source) => {
    const site = await listSite(source, 'web', { files: 1_000, megabytes: 100 });
    return Promise.all(site.files.map(({ read }) => read()));
  },
  'lists a site from above': async (source) => {
    const site = await listSite(source, '', { files: 1_000, megabytes: 100 });
    return Promise.all(site.files.map(({ read }) => read()));
  },
  'seals a program': (source) => source.ask({ op: 'seal', most: 1_000 }),
  'removes a link': (source) => source.remove('web'),
  'empties everything': (source) => source.empty(),
};

/** Everything in an answer that is text or bytes. */
function textIn(answer: unknown): string {
  if (answer instanceof Uint8Array) return Buffer.from(answer).toString('latin1');
  if (typeof answer !== 'object' || answer === null) return String(answer);
  return Object.entries(answer)
    .map(([key, value]) => `${key} ${textIn(value)}`)
    .join('\n');
}

/** Does one piece of work on a checkout in which `web` leads to the host. @returns what of the host was reached, or null */
export async function reachedBy(
  work: Work,
  folders: TestWorkspace,
  canary: HostCanary,
): Promise<string | null> {
  const answer = await work(folders.source, folders).catch((error: unknown) => {
    if (!(error instanceof BuildError)) throw error;
    return error.message;
  });
  const changed = canary.changes();
  if (changed.length > 0) return `changed ${changed.join(', ')}`;
  return textIn(answer).includes(canary.secret) ? 'told the secret' : null;
}
