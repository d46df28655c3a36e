import type { DeployType } from '@cannery/contract';

/** What a repository is that no command here can publish. */
interface OtherKind {
  /** As a sentence names it. */
  readonly name: string;
  is(has: (path: string) => boolean, text: (path: string) => string): boolean;
  readonly advice: string;
  /** The type that deploys it; absent where none does. */
  readonly type?: DeployType;
  /** Whether it is that even where a site is found beside it, which is then a part of it. */
  readonly hasSites?: true;
}

const NOTHING = 'Nothing that can be published was found.';
const buildSite = (program: string, output: string): string =>
  `${program} is not installed here: build it on your machine, commit what it writes into ${output}, and name that folder as publish directory.`;
const CANISTERS = 'Choose Whole project instead of a website.';
const MOTOKO = 'Choose Motoko canisters instead of a website.';
const COMMIT_MODULE =
  'is not compiled here: build it on your machine, commit the WebAssembly, name it in dfx.json by a canister of the type "custom", and deploy the whole project.';

/** What `type` says of a network, and not of a canister. */
const NETWORK_TYPES: ReadonlySet<string> = new Set(['ephemeral', 'persistent']);

/** Whether all canisters of a dfx.json are compiled from Motoko. */
function isAllMotoko(settings: string): boolean {
  const types = [...settings.matchAll(/"type"\s{0,9}:\s{0,9}"([^"]{0,100})"/g)].map(([, type = '']) => type);
  const isMotoko = types.every((type) => type === 'motoko' || NETWORK_TYPES.has(type));
  return isMotoko && /"main"\s{0,9}:\s{0,9}"[^"]{1,500}\.mo"/.test(settings);
}

const KINDS: readonly OtherKind[] = [
  {
    name: 'a project of Azle (canisters in TypeScript)',
    is: (_, text) => /"azle"/.test(text('dfx.json')) || /"azle"\s{0,9}:/.test(text('package.json')),
    advice: `Azle ${COMMIT_MODULE}`,
  },
  {
    name: 'a project of Kybra (canisters in Python)',
    is: (_, text) => /\bkybra\b/.test(text('dfx.json')) || /^kybra\b/m.test(text('requirements.txt')),
    advice: `Kybra ${COMMIT_MODULE}`,
  },
  {
    name: 'a project of Motoko canisters (dfx.json)',
    is: (_, text) => isAllMotoko(text('dfx.json')),
    advice: MOTOKO,
    type: 'MOTOKO',
    hasSites: true,
  },
  {
    name: 'a project of canisters (dfx.json)',
    is: (has) => has('dfx.json'),
    advice: CANISTERS,
    type: 'CUSTOM',
    hasSites: true,
  },
  {
    name: 'a project of canisters (icp.yaml)',
    is: (has) => has('icp.yaml'),
    advice: CANISTERS,
    type: 'CUSTOM',
    hasSites: true,
  },
  {
    name: 'a Motoko package or canister (mops.toml)',
    is: (has) => has('mops.toml'),
    advice: MOTOKO,
    type: 'MOTOKO',
  },
  {
    name: 'a Motoko canister',
    is: (has) => ['main.mo', 'src/main.mo'].some(has),
    advice: MOTOKO,
    type: 'MOTOKO',
  },
  {
    name: 'a site for Jekyll',
    is: (has) => has('_config.yml') && ['Gemfile', 'index.md', '_posts', '_layouts'].some(has),
    advice: buildSite('Jekyll', '_site'),
  },
  {
    name: 'a site for Hugo',
    is: (has) =>
      ['hugo.toml', 'hugo.yaml', 'hugo.json'].some(has) ||
      (['config.toml', 'config.yaml', 'config.json'].some(has) &&
        ['archetypes', 'layouts', 'content'].some(has) &&
        !has('templates')),
    advice: buildSite('Hugo', 'public'),
  },
  {
    name: 'a site for Zola',
    is: (has) => has('config.toml') && has('content') && has('templates'),
    advice: buildSite('Zola', 'public'),
  },
  { name: 'a site for MkDocs', is: (has) => has('mkdocs.yml'), advice: buildSite('MkDocs', 'site') },
  { name: 'a book for mdBook', is: (has) => has('book.toml'), advice: buildSite('mdBook', 'book') },
  {
    name: 'documentation for Sphinx',
    is: (has) => ['conf.py', 'docs/conf.py', 'doc/conf.py', 'docs/source/conf.py'].some(has),
    advice: buildSite('Sphinx', '_build/html'),
  },
  {
    name: 'a project of Flutter',
    is: (has) => has('pubspec.yaml'),
    advice: buildSite('Flutter', 'build/web'),
  },
  {
    name: 'a Rust project (Cargo.toml)',
    is: (has) => has('Cargo.toml'),
    advice: `${CANISTERS} Its canisters are compiled where the server has Rust.`,
    type: 'CUSTOM',
  },
];

/** Paths of the texts that tell kinds apart; package.json is read anyway. */
export const KIND_TEXTS: readonly string[] = ['dfx.json', 'requirements.txt'];

const USUAL =
  'Set the folder of the site as Root directory, write a build command and the publish directory that it fills, or choose another repository or branch.';

function kindOf(paths: readonly string[], texts: ReadonlyMap<string, string>): OtherKind | undefined {
  const known = new Set<string>();
  for (const path of paths) {
    known.add(path);
    known.add(path.split('/', 1)[0] ?? '');
  }
  return KINDS.find(({ is }) =>
    is(
      (path) => known.has(path),
      (path) => texts.get(path) ?? '',
    ),
  );
}

/**
 * The type that deploys what a repository is, where that is no website; null where it is one, or where no type does.
 * @param isSite whether a site was recognised in it
 */
export function fittingType(
  paths: readonly string[],
  texts: ReadonlyMap<string, string>,
  isSite: boolean,
): DeployType | null {
  const kind = kindOf(paths, texts);
  return kind?.type === undefined || (isSite && kind.hasSites !== true) ? null : kind.type;
}

/**
 * What to say of a repository in which nothing was recognised, and what to do, as sentences.
 * @param paths of its files
 * @param hasRoots whether folders of it are offered
 */
export function nothingText(
  paths: readonly string[],
  texts: ReadonlyMap<string, string>,
  hasRoots: boolean,
): string {
  const kind = kindOf(paths, texts);
  if (kind !== undefined) return `${NOTHING} This is ${kind.name}. ${kind.advice}`;
  return hasRoots ? `${NOTHING} Set the folder of the site as Root directory.` : `${NOTHING} ${USUAL}`;
}
