import { type CommandName, type CommandShape, commandShapes, type Flag } from './command-table.ts';

const flagTexts: Readonly<Record<Flag, string>> = {
  wait: 'wait until the run is over; the exit code tells the result',
  follow: 'print the log until the run is over; the exit code tells the result',
};

const optionRows = [
  ['--url <address>', 'address of Cannery, instead of CANNERY_URL'],
  ['--json', 'print JSON'],
  ['--retry-for <seconds>', 'keep trying for this long when the server does not answer (default 30)'],
  ['--help', 'print this help'],
] as const;

const ENVIRONMENT = `Environment:
  CANNERY_URL     address of Cannery, such as https://cannery.example.com
  CANNERY_TOKEN   an API token of the Account page; it is never given in the command line
  NO_COLOR        when set, logs are printed without colours`;

const EXIT_CODES = `Exit codes:
  0 completed   1 failed   2 wrong use   3 no such deploy or run   4 not allowed   5 server not reachable`;

function lines(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}   ${right}`).join('\n');
}

const canisterText = 'deploy only the canister of this name in the project; may be given several times';

/** The command as its user writes it, such as `cannery logs <deploy> [run]`. */
export function usageOf({ name, operands, flags, takesCanisters }: CommandShape): string {
  const texts = operands.map((one) => (one.isOptional ? `[${one.name}]` : `<${one.name}>`));
  const canisters = takesCanisters ? ['[--canister <name>]...'] : [];
  return ['cannery', name, ...texts, ...flags.map((flag) => `[--${flag}]`), ...canisters].join(' ');
}

/** The help of the program. */
export function generalHelp(): string {
  const rows = commandShapes.map((one: CommandShape) => [usageOf(one), one.summary] as const);
  return `Starts and watches deploys of Cannery, for CI and for terminals.

Commands:
${lines(rows)}

<deploy> is the id or the name of a deploy, <run> the id of one of its runs.

Options:
${lines(optionRows)}

${ENVIRONMENT}

${EXIT_CODES}
`;
}

/** The help of one command. */
export function helpOf(name: CommandName): string {
  const shape: CommandShape | undefined = commandShapes.find((one) => one.name === name);
  if (shape === undefined) return generalHelp();
  const flags = shape.flags.map((flag) => [`--${flag}`, flagTexts[flag]] as const);
  const canisters = shape.takesCanisters ? [['--canister <name>', canisterText] as const] : [];
  return `Usage: ${usageOf(shape)} [options]

${shape.summary}.
${shape.details}

Options:
${lines([...flags, ...canisters, ...optionRows])}

${ENVIRONMENT}

${EXIT_CODES}
`;
}
