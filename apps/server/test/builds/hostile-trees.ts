import type { GitObjects, TreeEntry } from './git-objects.ts';

/** Where a repository of a test wants to get to. */
export interface Targets {
  /** A file outside the checkout that nothing may read. */
  readonly secret: string;
  /** A file that must not come to be. */
  readonly trace: string;
}

/** A commit that a tenant could push past the checks of a push, and whether it is checked out. */
export interface HostileTree {
  readonly what: string;
  readonly ends: 'refused' | 'written';
  /** Answers the tree's id. */
  readonly make: (git: GitObjects, targets: Targets) => string;
}

const FILE = '100644';
const FOLDER = '40000';
const LINK = '120000';
const SUBMODULE = '160000';
const COMMIT = '0123456789012345678901234567890123456789';

const shown = (name: string | Buffer): string => JSON.stringify(name.toString('latin1').slice(0, 40));

/** Each tree has a page too, so that there is something to publish. */
const withPage = (git: GitObjects, ...entries: TreeEntry[]): string =>
  git.tree(...entries, [FILE, 'index.html', git.blob('<p>a page</p>')]);

/** Names that git or a file system takes for its folder, or for a way out; as a file and as a folder. */
const forbiddenNames: readonly (string | Buffer)[] = [
  '.git',
  '.GIT',
  '.gIt',
  'git~1',
  'GIT~1',
  '.git.',
  '.git ',
  '.git...',
  '.git . .',
  '.git::$INDEX_ALLOCATION',
  '.git:x',
  '.g\u200cit',
  '.gi\ufefft',
  '.\u202agit',
  '.git\u200f',
  '.',
  '..',
  'a/../../../../trace',
  '../trace',
  '/trace',
  '.git/config',
  '.git\\config',
];

const unreadableNames: readonly Buffer[] = [
  Buffer.from([0xc0, 0xae, 0xc0, 0xae]),
  Buffer.from([0xed, 0xa0, 0x80]),
  Buffer.from([0xff, 0xfe]),
  Buffer.from('caf\xe9', 'latin1'),
];

/** Names that are odd and still names; what may be published of them is another matter. */
const oddNames: readonly string[] = [
  // A path, for git that reads it.
  'a/b',
  '..\\trace',
  'a\\..\\..\\trace',
  '--upload-pack=touch trace',
  '-rf',
  '$(touch trace)',
  '`touch trace`',
  ';touch trace',
  '|touch trace',
  '& touch trace',
  'a\nb',
  'a\rb',
  'a\tb',
  '\u001b[2J',
  'gpj.\u202eexe',
  'zero\u200bwidth',
  ' leading',
  'trailing ',
  '%2e%2e%2ftrace',
  '%00',
  '~',
  '~root',
  '*',
  '?',
  '[a]',
  '{a,b}',
  '"quoted"',
  "it's",
  'con',
  'nul.txt',
  'n'.repeat(255),
  'e\u0301',
];

/** Becomes the path of the secret. */
const SECRET = '<secret>';
const linkTargets: readonly string[] = [
  SECRET,
  '../secret',
  '../../secret',
  '../../../../../../../../etc/passwd',
  '/etc/passwd',
  '/proc/self/environ',
  '/proc/self/root/etc/passwd',
  '/proc/1/root',
  '/dev/zero',
  '/dev/stdin',
  '.',
  '..',
  './.git/config',
  'itself',
  'x\n/etc/passwd',
  '',
  '/'.repeat(4_000),
  `${'a/../'.repeat(700)}${SECRET}`,
];

const submoduleFile = (entries: string): string => `[submodule "x"]\n${entries}`;
/** Submodules that programs of git were made to run by, or led outside. */
const submodules: readonly string[] = [
  '\tpath = x\n\turl = ext::sh -c touch% trace\n',
  '\tpath = x\n\turl = --upload-pack=touch trace\n',
  '\tpath = x\n\turl = -u\n\tupdate = !touch trace\n',
  '\tpath = ../../trace\n\turl = https://example.org/x.git\n',
  '\tpath = x\r\n\turl = https://example.org/x.git\n',
  '\tpath = "x\\r"\n\turl = https://example.org/x.git\n',
  '\tpath = .git/modules/x\n\turl = ./x\n',
  '\tpath = -x\n\turl = file:///\n',
  '\turl = https://example.org/x.git\n\tpath = x\n\tignore = all\n\tupdate = checkout\n[core]\n\tfsmonitor = touch trace\n',
];

const attributes: readonly string[] = [
  '* filter=evil diff=evil merge=evil\n',
  '* filter=lfs diff=lfs merge=lfs -text\n',
  '* working-tree-encoding=UTF-16\n',
  '* working-tree-encoding=../../../etc/passwd\n',
  '* text eol=crlf ident export-subst\n',
  `[attr]evil filter=evil\n${'* evil\n'.repeat(2_000)}`,
];

const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `d${n}`);

/** A folder of ten folders of ten folders, and so on. */
function bomb(git: GitObjects, levels: number, leaf: TreeEntry): string {
  let id = git.tree(leaf);
  for (let level = 0; level < levels; level += 1)
    id = git.tree(...names(10).map((name): TreeEntry => [FOLDER, name, id]));
  return id;
}

function deep(git: GitObjects, levels: number): string {
  let id = git.tree([FILE, 'f', git.blob('x')]);
  for (let level = 0; level < levels; level += 1) id = git.tree([FOLDER, 'd', id]);
  return id;
}

export const hostileTrees: readonly HostileTree[] = [
  ...forbiddenNames.flatMap((name): HostileTree[] => [
    {
      what: `a file called ${shown(name)}`,
      ends: 'refused',
      make: (git) => withPage(git, [FILE, name, git.blob('x')]),
    },
    {
      what: `a folder called ${shown(name)}`,
      ends: 'refused',
      make: (git) => withPage(git, [FOLDER, name, git.tree([FILE, 'hooks', git.blob('x')])]),
    },
  ]),
  ...unreadableNames.map(
    (name): HostileTree => ({
      what: `a name of the bytes ${name.toString('hex')}`,
      ends: 'refused',
      make: (git) => withPage(git, [FILE, name, git.blob('x')]),
    }),
  ),
  {
    what: 'a file without a name',
    ends: 'refused',
    make: (git) => withPage(git, [FILE, '', git.blob('x')]),
  },
  ...oddNames.map(
    (name): HostileTree => ({
      what: `a file called ${shown(name)}`,
      ends: 'written',
      make: (git) => withPage(git, [FILE, name, git.blob('x')]),
    }),
  ),
  ...linkTargets.map(
    (target): HostileTree => ({
      what: `a link to ${shown(target)}`,
      ends: 'written',
      make: (git, { secret }) => withPage(git, [LINK, 'itself', git.blob(target.replaceAll(SECRET, secret))]),
    }),
  ),
  {
    what: 'links that lead to links, and then outside',
    ends: 'written',
    make: (git) =>
      withPage(
        git,
        [LINK, 'a', git.blob('b')],
        [LINK, 'b', git.blob('c')],
        [LINK, 'c', git.blob('../../secret')],
      ),
  },
  {
    what: 'a link to a folder outside, and a folder of the same name with a file to be written through it',
    ends: 'refused',
    make: (git) =>
      withPage(git, [LINK, 'a', git.blob('../..')], [FOLDER, 'a', git.tree([FILE, 'trace', git.blob('x')])]),
  },
  {
    what: 'a file and a link of one name',
    ends: 'refused',
    make: (git) =>
      withPage(git, [LINK, 'a', git.blob('../../trace')], [FILE, 'a', git.blob('written through it')]),
  },
  {
    what: 'a page that is a link to a secret',
    ends: 'written',
    make: (git, { secret }) =>
      git.tree([LINK, 'index.html', git.blob(secret)], [FILE, 'other.html', git.blob('x')]),
  },
  ...['.gitmodules', '.gitattributes', '.gitignore'].map(
    (name): HostileTree => ({
      what: `${name} as a link to a secret`,
      ends: name === '.gitmodules' ? 'refused' : 'written',
      make: (git, { secret }) => withPage(git, [LINK, name, git.blob(secret)]),
    }),
  ),
  ...submodules.map(
    (entries): HostileTree => ({
      what: `a submodule with ${shown(entries)}`,
      ends: 'written',
      make: (git) =>
        withPage(git, [FILE, '.gitmodules', git.blob(submoduleFile(entries))], [SUBMODULE, 'x', COMMIT]),
    }),
  ),
  {
    what: 'a submodule called .git',
    ends: 'refused',
    make: (git) => withPage(git, [SUBMODULE, '.git', COMMIT]),
  },
  ...attributes.map(
    (text): HostileTree => ({
      what: `attributes ${shown(text)}`,
      ends: 'written',
      make: (git, { trace }) =>
        withPage(
          git,
          [FILE, '.gitattributes', git.blob(text)],
          [FILE, '.gitconfig', git.blob(`[filter "evil"]\n\tsmudge = touch ${trace}\n\trequired\n`)],
          [FILE, '.lfsconfig', git.blob(`[lfs]\n\turl = http://127.0.0.1:9/\n`)],
        ),
    }),
  ),
  {
    what: 'a bare repository with a program in its configuration, at the top',
    ends: 'written',
    make: (git, { trace }) =>
      withPage(
        git,
        [FILE, 'HEAD', git.blob('ref: refs/heads/main\n')],
        [FILE, 'config', git.blob(`[core]\n\tbare = true\n\tfsmonitor = touch ${trace}\n`)],
        [FOLDER, 'objects', git.tree([FILE, 'x', git.blob('x')])],
        [FOLDER, 'refs', git.tree([FILE, 'x', git.blob('x')])],
      ),
  },
  {
    what: 'an LFS pointer to a file of ten gigabytes',
    ends: 'written',
    make: (git) =>
      withPage(
        git,
        [FILE, '.gitattributes', git.blob('*.bin filter=lfs diff=lfs merge=lfs -text\n')],
        [
          FILE,
          'a.bin',
          git.blob(
            `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 10737418240\n`,
          ),
        ],
      ),
  },
  ...['100777', '104755', '020000', '777', '0'].map(
    (mode): HostileTree => ({
      what: `a file of the mode ${mode}`,
      ends: 'written',
      make: (git) => withPage(git, [mode, 'run', git.blob('x')]),
    }),
  ),
  {
    what: 'a folder that is a file',
    ends: 'refused',
    make: (git) => withPage(git, [FOLDER, 'a', git.blob('x')]),
  },
  {
    what: 'a file that is a folder',
    ends: 'refused',
    make: (git) => withPage(git, [FILE, 'a', git.tree([FILE, 'b', git.blob('x')])]),
  },
  {
    what: 'a file that is missing',
    ends: 'refused',
    make: (git) => withPage(git, [FILE, 'a', COMMIT]),
  },
  {
    what: 'a folder that is missing',
    ends: 'refused',
    make: (git) => withPage(git, [FOLDER, 'a', COMMIT]),
  },
  {
    what: 'ten to the ninth files',
    ends: 'refused',
    make: (git) => bomb(git, 9, [FILE, 'f', git.blob('x')]),
  },
  {
    what: '101 folders in one another',
    ends: 'refused',
    make: (git) => deep(git, 101),
  },
  {
    what: 'a name of 256 bytes',
    ends: 'refused',
    make: (git) => withPage(git, [FILE, 'n'.repeat(256), git.blob('x')]),
  },
  {
    what: '100 files of 30 MB, which are one',
    ends: 'refused',
    make: (git) => {
      const large = git.blob(Buffer.alloc(30 * 1024 ** 2));
      return withPage(git, ...names(100).map((name): TreeEntry => [FILE, name, large]));
    },
  },
];
