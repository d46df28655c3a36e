import type { Builder } from './builder.ts';
import { CompileError, compileMotoko } from './motoko/compile.ts';
import { findCanisters, onlyCanister } from './motoko/find-canisters.ts';
import { ProjectFileError } from './motoko/lenient-json.ts';
import { BuildError, since, timeLeft } from './step-runner.ts';

/** Compiles the one Motoko canister of a project. */
export const buildMotoko: Builder = async (run) => {
  const root = run.folders.source;
  try {
    const project = await findCanisters(root);
    const canister = onlyCanister(project);
    const told = project.settings === null ? 'found by its name' : `named in ${project.settings}`;
    run.say(`==> Compiling ${canister.name}`);
    run.say(`Main file: ${canister.main} (${told})`);
    if (project.others.length > 0) run.say(`Not deployed by the type MOTOKO: ${project.others.join(', ')}.`);
    const start = Date.now();
    const module = await compileMotoko(root, canister, {
      timeoutMs: timeLeft(run),
      signal: run.signal,
      onLine: run.onLine,
    });
    run.say(`Compiled ${(module.wasm.length / 1024).toFixed(0)} kB of WebAssembly in ${since(start)}.`);
    return {
      kind: 'module',
      name: canister.name,
      wasm: module.wasm,
      candid: module.candid,
      initArg: canister.initArg,
    };
  } catch (error) {
    if (error instanceof ProjectFileError) throw new BuildError(error.message, { cause: error });
    if (!(error instanceof CompileError)) throw error;
    throw new BuildError(`${error.message} Correct what the lines above name, push, and deploy again.`, {
      cause: error,
    });
  }
};
