/** What a repository is that no command here can publish. */
interface OtherKind {
  /** As a sentence names it. */
  readonly name: string;
  is(has: (path: string) => boolean, text: (path: string) => string): boolean;
  readonly advice: string;
}

const NOTHING = 'Nothing that can be published was found.';
const buildSite = (program: string, output: string): string =>
  `${program} is not installed here: build it on your machine, commit what it writes into ${output}, and name that folder as publish directory.`;
const CANISTERS = 'Choose Whole project instead of a website.';
const COMMIT_MODULE =
  'is not compiled here: build it on your machine, commit the WebAssembly, name it in dfx.json by a canister of the type "custom", and deploy the whole project.';

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
    name: 'a project of canisters (dfx.json)',
    is: (has) => has('dfx.json'),
    advice: CANISTERS,
  },
  { name: 'a project of canisters (icp.yaml)', is: (has) => has('icp.yaml'), advice: CANISTERS },
  {
    name: 'a Motoko package or canister (mops.toml)',
    is: (has) => has('mops.toml'),
    advice: 'Choose Motoko canisters instead of a website.',
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
  },
];

/** Paths of the texts that tell kinds apart; package.json is read anyway. */
export const KIND_TEXTS: readonly string[] = ['dfx.json', 'requirements.txt'];

const USUAL =
  'Set the folder of the site as Root directory, write a build command and the publish directory that it fills, or choose another repository or branch.';

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
  const known = new Set<string>();
  for (const path of paths) {
    known.add(path);
    known.add(path.split('/', 1)[0] ?? '');
  }
  const kind = KINDS.find(({ is }) =>
    is(
      (path) => known.has(path),
      (path) => texts.get(path) ?? '',
    ),
  );
  if (kind !== undefined) return `${NOTHING} This is ${kind.name}. ${kind.advice}`;
  return hasRoots ? `${NOTHING} Set the folder of the site as Root directory.` : `${NOTHING} ${USUAL}`;
}
