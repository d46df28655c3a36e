import { sizeText } from './amount-text.ts';
import type { Builder } from './builder.ts';
import { CompileError, compileMotoko } from './motoko/compile.ts';
import { ProjectFileError } from './motoko/project-file-error.ts';
import { readProjectInThread } from './motoko/project-thread.ts';
import { BuildError, since, timeLeft } from './step-runner.ts';

/** Compiles the one Motoko canister of a project. */
export const buildMotoko: Builder = async (run) => {
  try {
    const project = await readProjectInThread(run.folders.source, run.signal);
    const told = project.settings === null ? 'found by its name' : `named in ${project.settings}`;
    run.say(`==> Compiling ${project.name}`, 'build');
    run.say(`Main file: ${project.request.main} (${told})`);
    if (project.others.length > 0) run.say(`Not deployed by the type MOTOKO: ${project.others.join(', ')}.`);
    for (const flag of project.dropped) run.onLine(`Flag ${flag} is not supported here and was left out.`);
    const start = Date.now();
    const module = await compileMotoko(project.request, {
      timeoutMs: timeLeft(run),
      signal: run.signal,
      onLine: run.onLine,
    });
    run.say(`Compiled ${sizeText(module.wasm.length)} of WebAssembly in ${since(start)}.`);
    return {
      kind: 'module',
      name: project.name,
      wasm: module.wasm,
      candid: module.candid,
      initArg: project.initArg,
    };
  } catch (error) {
    if (error instanceof ProjectFileError) throw new BuildError(error.message, { cause: error });
    if (!(error instanceof CompileError)) throw error;
    throw new BuildError(`${error.message} Correct what the lines above name, push, and deploy again.`, {
      cause: error,
    });
  }
};
