import { deployEndpoints, type DeployInstance } from '@cannery/contract';
import { exitCodes } from '../cli-error.ts';
import type { Command } from './command-context.ts';

/** `cannery list` */
export const list: Command = async ({ api, output }, { json }) => {
  const deploys = await api.call(deployEndpoints.list);
  if (json) output.printJson(deploys);
  else if (deploys.length === 0) output.note('There is no deploy that this token may see.');
  else {
    const rows = deploys.map(({ id, name, branch, deployInstance }) => [
      id,
      name,
      branch,
      deployInstance?.status ?? 'never run',
      commitText(deployInstance),
    ]);
    for (const line of table([['ID', 'NAME', 'BRANCH', 'LATEST RUN', 'COMMIT'], ...rows])) output.print(line);
  }
  return exitCodes.completed;
};

/** Characters of a message that fit a row of a terminal. */
const MESSAGE_SHOWN = 50;

/** What a run has built: the commit's id, the tag, the message, and who has written it. */
function commitText(run: DeployInstance | null): string {
  if (!run?.commit_id) return '';
  const { commit_id: id, tag, commit_message: message, commit_author: author } = run;
  const by = author ? `(${author})` : '';
  return [id, tag, message?.slice(0, MESSAGE_SHOWN).trim(), by].filter(Boolean).join(' ');
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
