import { createApi } from './api.ts';
import { CliError, type ExitCode, exitCodes } from './cli-error.ts';
import { type CommandName, generalHelp, helpOf } from './command-table.ts';
import { cancel } from './commands/cancel.ts';
import type { Command } from './commands/command-context.ts';
import { list } from './commands/list.ts';
import { logs } from './commands/logs.ts';
import { deploy, rollback } from './commands/start-run.ts';
import { createOutput } from './output.ts';
import { readArguments } from './read-arguments.ts';
import { readSettings } from './settings.ts';

const commands: Readonly<Record<CommandName, Command>> = { list, deploy, logs, rollback, cancel };

/** Carries out what the command line of a process says. @returns its exit code */
export async function runCannery(
  program: Pick<NodeJS.Process, 'argv' | 'env' | 'stdout' | 'stderr'>,
): Promise<ExitCode> {
  const output = createOutput(program);
  try {
    const asked = readArguments(program.argv.slice(2));
    if ('help' in asked) {
      program.stdout.write(asked.help === 'all' ? generalHelp() : helpOf(asked.help));
      return exitCodes.completed;
    }
    const settings = readSettings(program.env, asked.url);
    const api = createApi(settings, { patienceMs: asked.patienceMs, output });
    return await commands[asked.command]({ api, output }, asked);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    output.note(`cannery: ${error.message}`);
    return error.exitCode;
  }
}
