/** Options of yes or no that some commands take. */
type Flag = 'wait' | 'follow';

export interface CommandShape {
  readonly name: string;
  /** What stands behind the name, in order. */
  readonly operands: readonly { readonly name: string; readonly isOptional?: true }[];
  readonly flags: readonly Flag[];
  /** Whether it takes `--canister`, any number of times. */
  readonly takesCanisters?: true;
  readonly summary: string;
  /** What its help says besides. */
  readonly details: string;
}

const deploy = { name: 'deploy' };
const run = { name: 'run' };
const maybeRun = { name: 'run', isOptional: true } as const;

/** Every command of the program. */
export const commandShapes = [
  {
    name: 'list',
    operands: [],
    flags: [],
    summary: 'Lists the deploys that the token may see',
    details: 'Each line has the id, the name, the branch, and the status of the latest run.',
  },
  {
    name: 'deploy',
    operands: [deploy],
    flags: ['wait', 'follow'],
    takesCanisters: true,
    summary: 'Starts a run of a deploy',
    details:
      'Prints the id of the run. While another run like it waits, no second one is started, and the id of that run is printed.\nA call that is sent again after a lost connection starts no second run.\nWith --canister only the canisters of these names are deployed, and what they need that is not live yet.',
  },
  {
    name: 'logs',
    operands: [deploy, maybeRun],
    flags: ['follow'],
    summary: 'Prints the log of a run, of the latest one when none is named',
    details:
      'Without --follow the exit code is 0 when the log is printed, whatever the result of the run.\nWith --follow it goes on until the run is over, and the exit code tells the result.',
  },
  {
    name: 'rollback',
    operands: [deploy, run],
    flags: ['wait', 'follow'],
    summary: 'Starts a run that publishes again what an earlier run has published',
    details: 'Prints the id of the new run. Nothing is built; data of canisters stays.',
  },
  {
    name: 'cancel',
    operands: [deploy, maybeRun],
    flags: [],
    summary: 'Cancels a run that waits or is under way',
    details:
      'When no run is named, it cancels the run that is under way, or else the one that waits.\nPrints the id of the run. What the run has published stays.',
  },
] as const satisfies readonly CommandShape[];

export type CommandName = (typeof commandShapes)[number]['name'];

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
