import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shellQuoted } from '../process/shell-quoted.ts';
import type { BuildRun } from '../step/step-runner.ts';

/** Where a step with a separate root sees the variables of the deploy's settings. */
const VARIABLES = '/opt/cannery/variables';

/** The variables of the deploy's settings as a step reads them; null for none. */
export interface VariablesFile {
  /** Path as the step sees it. */
  readonly path: string;
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Writes variables as a file that a shell reads. They are neither in the arguments nor in the environment of any program
 * outside the sandbox: there, other users of the machine could read them, and a name such as LD_PRELOAD would act.
 * @returns what writes those which the build does not set itself, and says once which of them it does
 */
export function variablesWriter(
  run: BuildRun,
  variables: ReadonlyMap<string, string>,
): (own: Readonly<Record<string, string>>) => Promise<VariablesFile | null> {
  const said = new Set<string>();
  return async (own) => {
    const given = [...variables].filter(([name]) => !(name in own));
    for (const name of variables.keys()) {
      if (name in own && !said.has(name))
        run.say(`The variable ${name} of the settings is not used: the build sets it.`);
      said.add(name);
    }
    if (given.length === 0) return null;
    const disk = join(run.folders.root, 'variables');
    await writeFile(disk, given.map(([name, value]) => `export ${name}=${shellQuoted(value)}\n`).join(''));
    return run.sandbox.ownRoot
      ? { path: VARIABLES, files: new Map([[VARIABLES, disk]]) }
      : { path: disk, files: new Map() };
  };
}
