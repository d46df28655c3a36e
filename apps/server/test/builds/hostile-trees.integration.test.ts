import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { checkOut } from '../../src/builders/source/checkout.ts';
import { listSite } from '../../src/builders/site/publish-directory.ts';
import { BuildError } from '../../src/builders/build-error.ts';
import { testWorkspace } from '../../src/builders/disks/workspace.testing.ts';
import { createRepository } from '../../src/git/repository/repository-folder.ts';
import { gitObjects } from './git-objects.ts';
import { type HostileTree, hostileTrees } from './hostile-trees.ts';

const SECRET = 'a secret of somebody else';
/** git of tenants gives way to all else on the machine: several at a time. */
const LANES = 4;
const LIMITS = { files: 1_000, megabytes: 100 };
// oxlint-disable-next-line no-control-regex -- nobody may meet these in a name
const UNSHOWABLE = /[\u0000-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069\ufffd]/;

/** Everything below a folder, without following links. */
function everythingIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [path, ...everythingIn(path)] : [path];
  });
}

/** What was found wrong with the commits, and what was not published of them. */
interface Findings {
  readonly wrong: string[];
  readonly left: string[];
}

/** Checks commits out and lists what would be published of them, one after the other, in a folder that is new. */
async function tryOut(trees: readonly HostileTree[], { wrong, left }: Findings): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'cannery-trees-'));
  try {
    const [secret, trace] = [join(root, 'secret'), join(root, 'trace')];
    writeFileSync(secret, SECRET);
    const { gitDir } = await createRepository(join(root, 'git'), 'mallory', 'site');
    const git = gitObjects(gitDir);
    for (const { what, ends, make } of trees) {
      const must = (holds: boolean, problem: string): unknown => holds || wrong.push(`${what}: ${problem}`);
      git.commit(make(git, { secret, trace }));
      const folders = await testWorkspace(root, undefined, { id: 'one' });
      const { source } = folders.disk;
      const outside = (): string[] =>
        everythingIn(root).filter((path) => ![source, gitDir].some((own) => path.startsWith(`${own}/`)));
      const before = outside();
      const outcome = await checkOut(
        { folder: folders.source, path: '' },
        { gitDir },
        'main',
        new AbortController().signal,
      ).then(
        async ({ links }) => {
          await folders.source.layLinks(links);
          return 'written';
        },
        (error: unknown) => {
          must(error instanceof BuildError && error.message.length < 500, String(error));
          return 'refused';
        },
      );
      must(outcome === ends, outcome);

      must(outside().join() === before.join(), 'left something outside');
      must(readFileSync(secret, 'utf8') === SECRET && !existsSync(trace), 'something ran');
      for (const path of everythingIn(source)) {
        const entry = lstatSync(path);
        const isPlain = (entry.isFile() || entry.isDirectory()) && (entry.mode & 0o7000) === 0;
        const isLink = entry.isSymbolicLink() && `${realpathSync(path)}/`.startsWith(`${source}/`);
        must(
          isPlain || isLink,
          `${relative(source, path)} is neither a plain file nor a link that stays inside`,
        );
      }
      if (outcome === 'refused') {
        await folders.remove();
        continue;
      }

      const site = await listSite(folders.source, '', LIMITS);
      for (const { path, read } of site.files) {
        must(realpathSync(join(source, path)).startsWith(`${source}/`), `${path} leads outside`);
        must(!Buffer.from(await read()).includes(SECRET), `${path} publishes the secret`);
        must(!UNSHOWABLE.test(path), `publishes ${JSON.stringify(path)}`);
      }
      left.push(...site.left.map(({ path }) => path));
      await folders.remove();
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

test(`[DEP-21] [R6] of ${hostileTrees.length} hostile commits none writes, reads or runs anything outside its checkout`, {
  timeout: 180_000,
}, async () => {
  expect(hostileTrees.length).toBeGreaterThanOrEqual(80);
  const findings: Findings = { wrong: [], left: [] };
  await Promise.all(
    Array.from({ length: LANES }, (_, lane) =>
      tryOut(
        hostileTrees.filter((_tree, place) => place % LANES === lane),
        findings,
      ),
    ),
  );
  expect(findings.wrong).toEqual([]);
  // What has a name that nobody can read is told, and not published; nor is a link to the folder that it is in.
  const unreadable = ['a\nb', 'a\rb', 'a\tb', '\u001b[2J', 'gpj.\u202eexe', 'zero\u200bwidth'];
  expect(findings.left.toSorted()).toEqual([...unreadable, 'itself'].toSorted());
});
