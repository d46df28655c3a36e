/** What a line of a tool tells of a failure. */
export interface Sign {
  readonly pattern: RegExp;
  readonly text: (match: RegExpExecArray) => string;
  readonly advice?: string | ((match: RegExpExecArray) => string);
}

const ADD_IT = 'Add it to the dependencies in package.json, commit the lock file, and deploy again.';
const MAKE_IT =
  'An install script of its package makes or fetches it. Use a version of the package that needs none, or ask the operator to allow the host that the script calls (EGRESS_HOSTS), then deploy again.';
const CHECK_NAME = 'Check its name and version in package.json, push, and deploy again.';
const OTHER_VERSION =
  'Name a version that the registry has in package.json, update the lock file, push, and deploy again.';
const NO_JSR =
  'Only the registry of npm is asked here: take a package of the same kind from there, commit the lock file, and deploy again.';
export const MORE_MEMORY = 'Make the build use less, or ask the operator for a higher BUILD_MEMORY_MB.';
const COMMIT_IT =
  'Check that it is committed and that its name has the same capital letters, then deploy again.';

/**
 * Lines of tools that name the cause by themselves, in order of how exactly they do. Each pattern is bound to the start of
 * the line or to a word, and repeats no group, so that its work grows with the length of the line only.
 */
export const SIGNS: readonly Sign[] = [
  {
    // What follows from it is named by later lines, so it comes first: of shells, make, git, Node, Go, Rust, Java and Python.
    pattern:
      /\b(?:v?fork(?:\/exec)?|posix_spawn|spawn(?:Sync)?|clone|pthread_create|uv_thread_create|newosproc|threads?)\b.{0,200}\b(?:EAGAIN\b|[Rr]esource temporarily unavailable)|\bAssertion `.{0,80}\buv_thread_create\b|\bfatal error: newosproc\b|failed to create new OS thread \(.{0,60}errno=11\b|\bCannot fork\b|\bunable to create (?:new )?native thread\b|\bcan't start new thread\b/,
    text: () => 'it reached the limit of processes and threads that a build may have (BUILD_PROCESSES)',
    advice:
      'Let the build run fewer at the same time, such as fewer workers of its bundler or jobs of make, or ask the operator for a higher BUILD_PROCESSES.',
  },
  {
    // The makers of WebAssembly.
    pattern: /^(?:\S{0,40}sh): (?:line )?(?:\d+: )?(cargo|rustc|rustup): (?:command )?not found$/,
    text: ([, name]) => `the command '${name}' was not found`,
    advice:
      'Commands of a project do not have Rust. Commit the WebAssembly that it makes, and name that file; or let the server compile the canister, by the recipe @dfinity/rust in icp.yaml or by "type": "rust" in dfx.json.',
  },
  {
    pattern: /^(?:\S{0,40}sh): (?:line )?(?:\d+: )?(wasm-pack|wasm-opt|go|tinygo): (?:command )?not found$/,
    text: ([, name]) => `the command '${name}' was not found`,
    advice:
      'No npm package contains it. Commit the WebAssembly that it makes, and name that file, or ask the operator to install it.',
  },
  {
    pattern: /\bNo module named '?kybra\b/,
    text: () => 'the canister is written for Kybra (Python), which is not compiled here',
    advice:
      'Build it on your machine, commit its WebAssembly, take "build" out of dfx.json, and deploy again.',
  },
  {
    pattern: /(?:^|[\s:/])ic-wasm: (?:command )?not found$/,
    text: () => "the command 'ic-wasm' was not found",
    advice:
      'The npm registry has it for Linux on x64 only, and it could not be fetched from there. Commit the WebAssembly that it makes, and name that file, or ask the operator to install it.',
  },
  {
    // sh of Debian: 'sh: 1: vite: not found'; of others: 'bash: line 1: vite: command not found'
    pattern: /^(?:\S{0,40}sh): (?:line )?(?:\d+: )?([\w@./+-]{1,100}): (?:command )?not found$/,
    text: ([, name]) => `the command '${name}' was not found`,
    advice:
      'If a package contains it, add that package to devDependencies in package.json, push, and deploy again.',
  },
  {
    pattern:
      /\bMissing script: "?([\w:@./-]{1,100})"?|error Command "([^"]{1,100})" not found|find a script named "([^"]{1,100})"|Script not found "([^"]{1,100})"/,
    text: ([, npm, yarn, berry, bun]) => `package.json has no script '${npm ?? yarn ?? berry ?? bun}'`,
    advice: 'Correct the build command in the settings of the deploy, or add the script.',
  },
  {
    // As execa says it, which Docusaurus takes, and Node.
    pattern:
      /\bError: Command failed(?: with exit code 128)?: git\s.{0,200}\b(?:log|rev-parse|describe|rev-list)\b/,
    text: () => 'it asks git for what a checkout does not have',
    advice:
      'Git knows the newest 5,000 commits here, and no contents of earlier files. Take what needs more out of the build, push, and deploy again.',
  },
  {
    pattern: /JavaScript heap out of memory|\bENOMEM\b/,
    text: () => 'it ran out of memory',
    advice: MORE_MEMORY,
  },
  {
    pattern: /\bENOSPC\b|no space left on device/i,
    text: () => 'there was no space left to write to',
    advice: 'Make the build write less, or ask the operator for more space.',
  },
  {
    pattern: /ERR_OSSL_EVP_UNSUPPORTED|digital envelope routines::unsupported/,
    text: () => 'its bundler is older than this Node and wants a hash that OpenSSL 3 no longer has',
    advice: 'Write "engines": { "node": "16" } into package.json, or update the bundler.',
  },
  {
    pattern: /^npm (?:error|ERR!) notarget No matching version found for (\S{1,200}?)\.?$/,
    text: ([, spec]) => noVersion(spec),
    advice: OTHER_VERSION,
  },
  {
    pattern:
      /^npm (?:error|ERR!) 404 {1,3}(?:The requested resource )?'([^']{1,600})' (?:is not in this registry|could not be found)/,
    text: ([, name = '']) => notInRegistry(name),
    advice: ([, name = '']) => (OF_JSR.test(name) ? NO_JSR : CHECK_NAME),
  },
  {
    pattern: /ERR_PNPM_NO_MATCHING_VERSION\S{0,20}\s{1,4}(?:No matching version found for )?(\S{1,200})/,
    text: ([, spec]) => noVersion(spec),
    advice: OTHER_VERSION,
  },
  {
    pattern: /ERR_PNPM_FETCH_404\]?\s{1,4}GET (\S{1,300}): Not Found/,
    text: ([, address = '']) => notInRegistry(address),
    advice: CHECK_NAME,
  },
  {
    pattern: /Couldn't find any versions for "([^"]{1,200})" that matches "([^"]{1,200})"/,
    text: ([, name, wanted]) => noVersion(`${name}@${wanted}`),
    advice: OTHER_VERSION,
  },
  {
    pattern: /Couldn't find package "([^"]{1,200})"/,
    text: ([, name = '']) => notInRegistry(name),
    advice: CHECK_NAME,
  },
  {
    pattern: /YN0082: (?:│ )?(\S{1,200}): No candidates found/,
    text: ([, spec]) => noVersion(spec),
    advice: OTHER_VERSION,
  },
  {
    pattern:
      /YN00(?:16|35|82): (?:│ )?(\S{1,200}): (Package not found|Couldn't be resolved|The remote server)/,
    text: ([, name]) => `the package ${name} cannot be found in the registry`,
    advice: CHECK_NAME,
  },
  {
    pattern: /^error: No version matching "([^"]{1,100})" found for specifier "([^"]{1,200})"/,
    text: ([, wanted, name]) => noVersion(`${name}@${wanted}`),
    advice: OTHER_VERSION,
  },
  {
    pattern: /^error: GET (\S{1,400}) - 404/,
    text: ([, address = '']) => notInRegistry(address),
    advice: CHECK_NAME,
  },
  {
    pattern: /^npm (?:error|ERR!) notsup Unsupported platform for (\S{1,200}): wanted \{"os":"([\w,]{1,60})"/,
    text: ([, name, system]) => `the package ${name} is for ${system === 'darwin' ? 'macOS' : system} only`,
    advice:
      'Move it to optionalDependencies in package.json, or take it out, commit the lock file, and deploy again.',
  },
  {
    pattern: /Unsupported URL Type "(\w{1,30}):"/,
    text: ([, scheme]) => `npm does not know dependencies of the kind '${scheme}:'`,
    advice: 'Name the package tool in packageManager of package.json, such as "pnpm@10.34.9".',
  },
  {
    pattern: /^npm (?:error|ERR!) While resolving: (\S{1,200})/,
    text: ([, name]) => `the peer packages of ${name} contradict each other`,
    advice: CHECK_NAME,
  },
  {
    pattern:
      /(?:Cannot find (?:package|module) ['"]([^'"]{1,300})['"]|failed to resolve import ['"]([^'"]{1,300})['"])/,
    text: ([, name, imported]) => missingModule(name ?? imported ?? ''),
    advice: ([, name, imported]) => missingAdvice(name ?? imported ?? ''),
  },
  {
    pattern:
      /(?:Can't resolve ['"]([^'"]{1,300})['"]|Could not resolve ['"]([^'"]{1,300})['"]|UNRESOLVED_IMPORT\S{0,9} ?Could not resolve '([^']{1,300})')/,
    text: ([, webpack, esbuild, rolldown]) => missingModule(webpack ?? esbuild ?? rolldown ?? ''),
    advice: ([, webpack, esbuild, rolldown]) => missingAdvice(webpack ?? esbuild ?? rolldown ?? ''),
  },
  {
    pattern: /^(\S{1,300})(?:\((\d+),\d+\): |:(\d+):\d+ - )error (TS\d+: .*)$/,
    text: ([, file, line, other, message]) => `${file}, line ${line ?? other}: ${message}`,
  },
  {
    pattern:
      /ENOENT: no such file or directory, (?:open|l?stat|scandir|access|copyfile) '(?:\/build\/source\/)?([^']{1,300})'/,
    text: ([, path]) => `the file or folder ${path} does not exist`,
    advice: COMMIT_IT,
  },
];

const isFile = (name: string): boolean => /^[./]/.test(name);

/** A file of the project is not a package that could be added. */
function missingModule(name: string): string {
  const path = name.replace(/^\/build\/source\//, '');
  return isFile(name)
    ? `the file '${path}' that it imports does not exist`
    : `the module '${path}' was not found`;
}

function missingAdvice(name: string): string {
  if (name.endsWith('.node')) return MAKE_IT;
  return isFile(name) ? COMMIT_IT : ADD_IT;
}

/** A package that is there, of which no version is what the project wants: 'left-pad@^9.0.0', 'left-pad@npm:^9.0.0'. */
function noVersion(spec = ''): string {
  const at = spec.indexOf('@', 1);
  const [name, wanted] = at < 0 ? [spec, ''] : [spec.slice(0, at), spec.slice(at + 1).replace(/^npm:/, '')];
  const range = wanted === '' ? 'what the project wants' : wanted;
  return `the package ${name} is in the registry, but no version of it fits ${range}`;
}

/** The file of one version in a registry: '.../@scope/name/-/name-1.2.3.tgz'. */
const VERSION_FILE =
  /\/((?:@|%40)?[\w.%-]{1,100}(?:\/[\w.-]{1,100})?)\/-\/[\w.-]{0,200}?-(\d[\w.+-]{0,60})\.tgz\b/;

/** The file of a package of JSR, whose registry has another layout: '.../~/11/@jsr/std__toml/1.0.9.tgz'. */
const OF_JSR = /\/~\/\d{1,9}\/(@jsr\/[\w-]{1,100})\//;

/**
 * What a registry does not have: a package by its name, or one version of it, where the address of its file is named. A lock
 * file may name an address where others name a version.
 */
function notInRegistry(named: string): string {
  const [, path, version] = VERSION_FILE.exec(named) ?? [];
  const given = /^(\S{1,200}?)@https?:/.exec(named)?.[1];
  const ofJsr = OF_JSR.exec(named)?.[1];
  if (ofJsr !== undefined)
    return `the package ${given ?? ofJsr} is one of JSR (${ofJsr}), whose registry is npm.jsr.io`;
  if (version !== undefined) {
    // Of an address the last part of the path is the name; a scope comes before it.
    const name =
      given ?? /(?:@[^/]{1,100}\/)?[^/]{1,100}$/.exec((path ?? '').replace(/^%40/, '@'))?.[0] ?? named;
    return `version ${version} of the package ${name} is not in the registry`;
  }
  const scoped = /\/(?:@|%40)([\w.-]{1,100})%2f([\w.-]{1,100})$/i.exec(named);
  if (scoped !== null) return `the package @${scoped[1]}/${scoped[2]} is not in the registry`;
  return `the package ${/^https?:/.test(named) ? `at ${named}` : (given ?? named)} is not in the registry`;
}
