import type { Api } from '../api.ts';
import type { ExitCode } from '../cli-error.ts';
import type { Output } from '../output.ts';
import type { Invocation } from '../read-arguments.ts';

/** What a command works with. */
export interface CommandContext {
  readonly api: Api;
  readonly output: Output;
}

/** Carries a command out. @throws CliError */
export type Command = (ctx: CommandContext, invocation: Invocation) => Promise<ExitCode>;
