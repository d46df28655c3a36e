import { posix } from 'node:path';
import { type Fields, fieldsOf } from '../source/fields.ts';
import { ProjectFileError } from '../source/project-file-error.ts';
import { parseToml } from '../source/settings-text.ts';

/** How a project has told another host of websites to build it. */
export interface StatedBuild {
  readonly file: string;
  /** Folder in which the script runs, relative to the repository; empty for the repository itself. */
  readonly base: string;
  /** The one script of package.json that builds the site; null where the command is anything else. */
  readonly script: string | null;
  /** Relative to the repository; null where it is not stated. */
  readonly publish: string | null;
}

const NETLIFY = 'netlify.toml';
const VERCEL = 'vercel.json';

/** Files in which it is stated, at the root of a repository. */
export const STATED_IN: readonly string[] = [NETLIFY, VERCEL];

/** Commands of package tools which are no scripts, in `pnpm NAME` and `yarn NAME`. */
const NO_SCRIPTS: ReadonlySet<string> = new Set([
  'install',
  'i',
  'ci',
  'add',
  'exec',
  'dlx',
  'run',
  'workspace',
]);
const ONE_SCRIPT = /^(?:(?:npm|pnpm|yarn|bun)[ \t]{1,9}run(?:-script)?|pnpm|yarn)[ \t]{1,9}([\w:.-]{1,60})$/;
/** The names that a folder here may have, so that nothing of it means something to a shell. */
const PLAIN_FOLDER = /^[\w@.-]{1,100}(?:\/[\w@.-]{1,100}){0,9}$/;

/**
 * Reads it from netlify.toml (https://docs.netlify.com/build/configure-builds/file-based-configuration/), else from
 * vercel.json (https://vercel.com/docs/project-configuration).
 * @returns null where neither states a script or a folder
 */
export function statedBuild(texts: ReadonlyMap<string, string>): StatedBuild | null {
  for (const file of STATED_IN) {
    const text = texts.get(file);
    const stated = text === undefined ? null : file === NETLIFY ? fromNetlify(text) : fromVercel(text);
    if (stated !== null && (stated.script !== null || stated.publish !== null)) return stated;
  }
  return null;
}

function fromNetlify(text: string): StatedBuild | null {
  let build: Fields;
  try {
    build = fieldsOf(parseToml(text, NETLIFY).build);
  } catch (error) {
    if (error instanceof ProjectFileError) return null;
    throw error;
  }
  const base = build.base === undefined ? '' : folderOf(build.base);
  if (base === null) return null;
  const publish = folderOf(build.publish);
  return { file: NETLIFY, base, script: scriptOf(build.command), publish: below(base, publish) || null };
}

/** The folder is said from the base or, as the host took it before, from the repository. */
function below(base: string, publish: string | null): string | null {
  if (publish === null || base === '' || publish === base || publish.startsWith(`${base}/`)) return publish;
  return posix.join(base, publish);
}

function fromVercel(text: string): StatedBuild | null {
  let file: Fields;
  try {
    file = fieldsOf(JSON.parse(text));
  } catch {
    return null;
  }
  return {
    file: VERCEL,
    base: '',
    script: scriptOf(file.buildCommand),
    publish: folderOf(file.outputDirectory) || null,
  };
}

/** A folder inside the repository, empty for the repository itself; null for anything else. */
function folderOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const plain = value
    .trim()
    .replace(/^(?:\.?\/){1,9}/, '')
    .replace(/\/{1,9}$/, '');
  if (plain === '' || plain === '.') return '';
  return PLAIN_FOLDER.test(plain) && !plain.split('/').includes('..') ? plain : null;
}

function scriptOf(command: unknown): string | null {
  if (typeof command !== 'string' || command.length > 200) return null;
  const name = ONE_SCRIPT.exec(command.trim())?.[1];
  return name === undefined || NO_SCRIPTS.has(name) ? null : name;
}
