import { deployEndpoints } from '@cannery/contract';
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
    ]);
    for (const line of table([['ID', 'NAME', 'BRANCH', 'LATEST RUN'], ...rows])) output.print(line);
  }
  return exitCodes.completed;
};

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
