/** Why a tool failed, told by what it printed. */
export interface FailureCause {
  /** A sentence without its full stop, in lower case where its first word is. */
  readonly text: string;
  /** What to do, as a sentence; null for the usual advice. */
  readonly advice: string | null;
}

interface Sign {
  readonly pattern: RegExp;
  readonly text: (match: RegExpExecArray) => string;
  readonly advice?: string | ((match: RegExpExecArray) => string);
}

/** Most characters of a line that is looked at, and of a text that is repeated. */
const LONGEST_LINE = 2_000;
const SHOWN = 300;
/** Colours and the like (ECMA-48, control sequences). */
// oxlint-disable-next-line no-control-regex -- the escape character is what begins them
const ANSI = /\x1b\[[\d;?]{0,20}[A-Za-z]/g;

const ADD_IT = 'Add it to the dependencies in package.json, commit the lock file, and deploy again.';
const MAKE_IT =
  'An install script of its package makes or fetches it. Use a version of the package that needs none, or ask the operator to allow the host that the script calls (EGRESS_HOSTS), then deploy again.';
const CHECK_NAME = 'Check its name and version in package.json, push, and deploy again.';
const COMMIT_IT =
  'Check that it is committed and that its name has the same capital letters, then deploy again.';

/**
 * Lines of tools that name the cause by themselves, in order of how exactly they do. Each pattern is bound to the start of
 * the line or to a word, and repeats no group, so that its work grows with the length of the line only.
 */
const SIGNS: readonly Sign[] = [
  {
    // The makers of WebAssembly.
    pattern:
      /^(?:\S{0,40}sh): (?:line )?(?:\d+: )?(cargo|rustc|rustup|wasm-pack|wasm-opt|go|tinygo): (?:command )?not found$/,
    text: ([, name]) => `the command '${name}' was not found`,
    advice:
      'No npm package contains it. Commit the WebAssembly that it makes, and name that file, or ask the operator to install it.',
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
    pattern: /JavaScript heap out of memory|\bENOMEM\b/,
    text: () => 'it ran out of memory',
    advice: 'Make the build use less, or ask the operator for a higher BUILD_MEMORY_MB.',
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
    text: ([, name]) => `no version of the package ${name} fits`,
    advice: CHECK_NAME,
  },
  {
    pattern:
      /^npm (?:error|ERR!) 404 {1,3}(?:The requested resource )?'([^']{1,600})' (?:is not in this registry|could not be found)/,
    // A lock file may name an address where others name a version.
    text: ([, name = '']) => `the package ${name.split(/@https?:/, 1)[0]} is not in the registry`,
    advice: CHECK_NAME,
  },
  {
    pattern: /ERR_PNPM_NO_MATCHING_VERSION\]?\s{1,4}(?:No matching version found for )?(\S{1,200})/,
    text: ([, name]) => `no version of the package ${name} fits`,
    advice: CHECK_NAME,
  },
  {
    pattern: /ERR_PNPM_FETCH_404\]?\s{1,4}GET (\S{1,300}): Not Found/,
    text: ([, address]) => `the package at ${address} is not in the registry`,
    advice: CHECK_NAME,
  },
  {
    pattern: /Couldn't find (?:package "([^"]{1,200})"|any versions for "([^"]{1,200})" that matches)/,
    text: ([, name, versions]) =>
      name === undefined
        ? `no version of the package ${versions} fits`
        : `the package ${name} is not in the registry`,
    advice: CHECK_NAME,
  },
  {
    pattern:
      /YN00(?:16|35|82): (?:│ )?(\S{1,200}): (Package not found|No candidates found|Couldn't be resolved|The remote server)/,
    text: ([, name]) => `the package ${name} cannot be found in the registry`,
    advice: CHECK_NAME,
  },
  {
    pattern:
      /^error: (?:No version matching "([^"]{1,100})" found for specifier "([^"]{1,200})"|GET (\S{1,400}) - 404)/,
    text: ([, version, name, missing]) =>
      missing === undefined
        ? `no version of the package ${name}@${version} fits`
        : `the package at ${missing} is not in the registry`,
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

const NETWORK =
  /\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|getaddrinfo)\b(?: (?:ENOTFOUND|EAI_AGAIN))?(?: ([\w.-]{1,200}))?/;
/** Node's own words for it, with the address before them. */
const FETCH_FAILED = /\bhttps?:\/\/([\w.-]{1,200})\S{0,500} (?:\S{1,40} ){0,3}fetch failed/;
/** The first line that calls itself an error; the second group is the rest of it. */
const ERROR_LINE =
  /^[^\w[]{0,12}(?:\[?(?:error|ERROR|Error|fatal|FATAL ERROR|failed)\]?|npm (?:error|ERR!)|[A-Z][A-Za-z]{1,40}Error)(?: \[[A-Z_]{1,40}\])?(?::\s{0,4}|\s{1,4})(\S.*)$/;
/** Lines of npm about itself. */
const BOOKKEEPING =
  /^npm (?:error|ERR!) (?:code|path|command|errno|syscall|signal|workspace|location|Lifecycle|A complete log|in workspace|\s*at )/;
const COMMAND_NOT_FOUND = 127;
const NOT_RUNNABLE = 126;

/** Reads the lines of a step as they come and keeps what names the cause of its failure, at no cost worth mention. */
export class CauseFinder {
  #best: { rank: number; match: RegExpExecArray } | null = null;
  #host: string | null = null;
  #error: string | null = null;

  see(raw: string): void {
    const line = raw.slice(0, LONGEST_LINE).replace(ANSI, '').trim();
    const upTo = this.#best?.rank ?? SIGNS.length;
    for (const [rank, { pattern }] of SIGNS.slice(0, upTo).entries()) {
      const match = pattern.exec(line);
      if (match === null) continue;
      this.#best = { rank, match };
      return;
    }
    if (this.#error !== null || /\bwarn(?:ing)?\b/i.test(line)) return;
    const network = NETWORK.exec(line) ?? FETCH_FAILED.exec(line);
    if (network !== null) {
      this.#host = network[1] ?? '';
      this.#error = line;
    } else if (!BOOKKEEPING.test(line)) this.#error = ERROR_LINE.exec(line)?.[1] ?? null;
  }

  /**
   * @param exitCode of the step
   * @param hasNetwork whether the step had a way out
   */
  cause(exitCode: number, hasNetwork: boolean): FailureCause | null {
    const sign = this.#best === null ? undefined : SIGNS[this.#best.rank];
    if (this.#best !== null && sign !== undefined) {
      const { match } = this.#best;
      const advice = typeof sign.advice === 'function' ? sign.advice(match) : sign.advice;
      return { text: short(sign.text(match)), advice: advice ?? null };
    }
    if (this.#host !== null && !hasNetwork) return networkCause(this.#host);
    if (this.#error !== null) return { text: short(this.#error), advice: null };
    if (exitCode === COMMAND_NOT_FOUND) return { text: 'one of its commands was not found', advice: null };
    if (exitCode === NOT_RUNNABLE) return { text: 'one of its commands cannot be run', advice: null };
    return null;
  }
}

function networkCause(host: string): FailureCause {
  const named = host === '' ? 'the network' : `the network (${host})`;
  return {
    text: `it tried to reach ${named}, which only package installation may do`,
    advice: 'Commit what it fetches, or ask the operator to allow the network (BUILD_NETWORK=listed).',
  };
}

function short(text: string): string {
  const line = text.replace(/(?<![.:\s])[.:\s]+$/, '');
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
}

/** The end of a message about a failure: the cause, where there is one, and what to do. */
export function causeText(cause: FailureCause | null, usualAdvice: string): string {
  const reason = cause === null ? '' : ` The cause: ${cause.text}.`;
  return `${reason} ${cause?.advice ?? usualAdvice}`;
}
