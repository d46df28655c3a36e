import type { Bindings } from '@cannery/candid/bindings';
import { runInThread, ThreadError, ThreadRefusal } from '../../thread/run-in-thread.ts';
import { BuildError } from '../build-error.ts';
import { defaultFolder, type NetworkName } from '../project/dfx-settings.ts';
import type { Project } from '../project/plan.ts';
import { readFromCheckout } from '../source/safe-files.ts';
import type { BuildRun } from '../step/step-runner.ts';
import type { TenantFolder } from '../tenant/tenant-folder.ts';
import { declarationFiles } from './declarations.ts';
import { canisterIdsText, envFileText } from './project-environment.ts';

/** Bounds of translating one interface; one of 200 kB takes 0.2 s. */
const TIMEOUT_MS = 20_000;
const HEAP_MEGABYTES = 256;
const STACK_MEGABYTES = 16;
/** Characters of a reason in the log. */
const REASON = 300;

/**
 * JavaScript bindings of a canister's interface, which is text of a tenant: it is read in a thread with bounds.
 * @throws BuildError when it cannot be read
 */
async function bindingsFor(name: string, candid: string, signal: AbortSignal): Promise<Bindings> {
  try {
    return await runInThread<Bindings>({
      module: new URL('./bindings-worker.ts', import.meta.url),
      request: candid,
      heapMegabytes: HEAP_MEGABYTES,
      stackMegabytes: STACK_MEGABYTES,
      timeoutMs: TIMEOUT_MS,
      signal,
    });
  } catch (error) {
    if (!(error instanceof ThreadError || error instanceof ThreadRefusal)) throw error;
    throw new BuildError(
      `The interface of ${name} cannot be turned into JavaScript: ${error.message.slice(0, REASON)}.`,
      { cause: error },
    );
  }
}

/** Bytes of a project's `.env` and package.json. */
const SETTINGS_LIMIT = 1024 * 1024;

/** What is known of the project's canisters before its commands run. */
export interface KnownCanisters {
  readonly ids: ReadonlyMap<string, string>;
  readonly interfaces: ReadonlyMap<string, string>;
  readonly env: Readonly<Record<string, string>>;
  readonly network: NetworkName;
}

/**
 * Writes the files that dfx leaves for a project's build: ids, variables and JavaScript bindings. Projects of icp-cli read
 * their ids at run time and get none of them.
 */
export async function writeProjectFiles(
  run: BuildRun,
  project: Project,
  { ids, interfaces, env, network }: KnownCanisters,
): Promise<void> {
  if (project.settings !== 'dfx.json') return;
  const root = run.folders.source;
  const write = (path: string, text: string): Promise<void> => root.write(path, text);
  const idsText = canisterIdsText(ids, network);
  await write(network === 'ic' ? 'canister_ids.json' : `.dfx/${network}/canister_ids.json`, idsText);
  const envFile = project.envFile ?? '.env';
  await write(envFile, envFileText(await textIn(root, envFile), env));
  const agentPackage = await agentPackageOf(root);
  for (const [name, candid] of interfaces) {
    const given = project.declarations[name];
    const bindings = await bindingsFor(name, candid, run.signal);
    const declarations = given ?? { folder: defaultFolder(name), idOverride: null };
    const files = declarationFiles({ name, candid, bindings, declarations, agentPackage });
    // Where releases before 0.8 of dfx left them.
    const generated = `.dfx/${network}/canisters/${name}`;
    for (const folder of [declarations.folder, generated]) {
      for (const [file, text] of files) await write(`${folder}/${file}`, text);
    }
    await write(`${generated}/${name}.js`, files.get(`${name}.did.js`) ?? '');
  }
  if (interfaces.size > 0)
    run.say(`JavaScript bindings are written for ${[...interfaces.keys()].join(', ')}.`);
}

async function textIn(root: TenantFolder, path: string): Promise<string> {
  try {
    return (await readFromCheckout(root, path, SETTINGS_LIMIT)).toString('utf8');
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    return '';
  }
}

/** Which package of the agent the project has. Only projects since 2025 have the newer name. */
async function agentPackageOf(root: TenantFolder): Promise<string> {
  const text = await textIn(root, 'package.json');
  return text.includes('"@icp-sdk/core"') && !text.includes('"@dfinity/agent"')
    ? '@icp-sdk/core/agent'
    : '@dfinity/agent';
}
