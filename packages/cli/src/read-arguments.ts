import { parseArgs } from 'node:util';
import { API_TOKEN_PREFIX } from '@cannery/contract';
import { usageError } from './cli-error.ts';
import { type CommandName, type CommandShape, commandShapes, usageOf } from './command-table.ts';

/** A command as it was given. */
export interface Invocation {
  readonly command: CommandName;
  /** In the order of the command's operands. */
  readonly operands: readonly string[];
  /** Names of canisters that a deploy is limited to; none for the whole project. */
  readonly canisters: readonly string[];
  readonly wait: boolean;
  readonly follow: boolean;
  readonly json: boolean;
  readonly url: string | undefined;
  /** How long a server that does not answer is tried again, in milliseconds. */
  readonly patienceMs: number;
}

/** Asked for help: of a command, or of the program. */
export interface HelpRequest {
  readonly help: CommandName | 'all';
}

const DEFAULT_PATIENCE_S = 30;
const MOST_PATIENCE_S = 86_400;

const booleans = ['wait', 'follow', 'json', 'help'] as const;
const texts = ['url', 'retry-for', 'canister'] as const;
type BooleanOption = (typeof booleans)[number];
type TextOption = (typeof texts)[number];

const isOneOf = <T extends string>(names: readonly T[], name: string): name is T =>
  (names as readonly string[]).includes(name);

/** The options and the rest of a command line, which may be in any order. */
function split(args: readonly string[]): {
  given: ReadonlySet<BooleanOption>;
  /** All that were given of an option, in order. */
  values: ReadonlyMap<TextOption, readonly string[]>;
  words: readonly string[];
} {
  const { tokens } = parseArgs({
    args: [...args],
    options: {
      ...Object.fromEntries(booleans.map((name) => [name, { type: 'boolean' as const }])),
      ...Object.fromEntries(texts.map((name) => [name, { type: 'string' as const }])),
      help: { type: 'boolean', short: 'h' },
    },
    // Its own errors repeat what was given, which may be a secret.
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = new Set<BooleanOption>();
  const values = new Map<TextOption, string[]>();
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, value } = token;
    if (isOneOf(booleans, name)) {
      if (value !== undefined) throw usageError(`--${name} takes no value.`);
      given.add(name);
    } else if (isOneOf(texts, name)) {
      if (value === undefined || value === '') throw usageError(`--${name} needs a value.`);
      values.set(name, [...(values.get(name) ?? []), value]);
    } else if (name === 'token') {
      throw usageError(
        'Do not give a token in the command line, where others can see it. Set CANNERY_TOKEN.',
      );
    } else throw usageError('There is an option that cannery does not have. See cannery --help.');
  }
  return { given, values, words };
}

function patienceOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_PATIENCE_S * 1000;
  if (!/^\d{1,5}$/.test(text) || Number(text) > MOST_PATIENCE_S) {
    throw usageError(`--retry-for is a whole number of seconds, at most ${MOST_PATIENCE_S}.`);
  }
  return Number(text) * 1000;
}

/**
 * Reads a command line.
 * @throws CliError (wrong use) whose message never repeats what was given: it may be a secret
 */
export function readArguments(args: readonly string[]): Invocation | HelpRequest {
  if (args.some((arg) => arg.includes(API_TOKEN_PREFIX))) {
    throw usageError(
      'A token is in the command line, where others can see it. Delete it on the Account page, and set CANNERY_TOKEN to a new one.',
    );
  }
  const { given, values, words } = split(args);
  const [first, ...operands] = words;
  if (first === undefined && given.has('help')) return { help: 'all' };
  if (first === undefined) throw usageError('Name a command. See cannery --help.');
  const name = first === 'help' ? operands[0] : first;
  const shape: (CommandShape & { readonly name: CommandName }) | undefined = commandShapes.find(
    (one) => one.name === name,
  );
  if (first === 'help') return { help: shape?.name ?? 'all' };
  if (shape === undefined) throw usageError('There is no such command. See cannery --help.');
  if (given.has('help')) return { help: shape.name };
  const fewest = shape.operands.filter(({ isOptional }) => !isOptional).length;
  if (operands.length < fewest || operands.length > shape.operands.length || operands.includes('')) {
    throw usageError(`Usage: ${usageOf(shape)}`);
  }
  for (const flag of ['wait', 'follow'] as const) {
    if (given.has(flag) && !shape.flags.includes(flag)) {
      throw usageError(`--${flag} is not an option of cannery ${shape.name}.`);
    }
  }
  const canisters = values.get('canister') ?? [];
  if (canisters.length > 0 && !shape.takesCanisters) {
    throw usageError(`--canister is not an option of cannery ${shape.name}.`);
  }
  return {
    command: shape.name,
    operands,
    canisters,
    wait: given.has('wait'),
    follow: given.has('follow'),
    json: given.has('json'),
    url: values.get('url')?.at(-1),
    patienceMs: patienceOf(values.get('retry-for')?.at(-1)),
  };
}
