/** Options of yes or no that some commands take. */
export type Flag = 'wait' | 'follow';

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
