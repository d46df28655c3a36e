import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';

const CONSOLE = fileURLToPath(new URL('../../apps/console/', import.meta.url));

/** Modules that only the template shell and the documentation may bring, and the libraries that draw for them. */
const APART =
  /\/features\/(demo|documentation)\/|\/packages\/guide\/|virtual:guide\/|\/docs\/|\/node_modules\/(react-day-picker|date-fns|@date-fns|d3-[^/]+|internmap|topojson-client|world-atlas)\//;

type BuiltFile = Rolldown.OutputChunk | Rolldown.OutputAsset;

/** What the bundler made of the console's sources. */
export interface ConsoleBuild {
  /** By the name that the product serves them under. */
  readonly files: ReadonlyMap<string, BuiltFile>;
  /** Ids of the modules that stand apart, and of those that only they need. */
  readonly apart: ReadonlySet<string>;
  /** The console's own modules that are loaded by `import()`, by name. */
  readonly loadedLater: readonly string[];
}

/** A module as a person names it: its path in the console's sources, or else its id. */
export const moduleName = (id: string): string =>
  id.replace(`${CONSOLE}src/`, '').replace(CONSOLE, '').replace('\0', '');

/** Modules of the graph but those that the entries reach without passing through one that stands apart. */
function standingApart(graph: Rolldown.PluginContext): Set<string> {
  const ids = [...graph.getModuleIds()];
  const reached = new Set<string>();
  const open = ids.filter((id) => graph.getModuleInfo(id)?.isEntry);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reached.has(id) || APART.test(id)) continue;
    reached.add(id);
    const { importedIds = [], dynamicallyImportedIds = [] } = graph.getModuleInfo(id) ?? {};
    open.push(...importedIds, ...dynamicallyImportedIds);
  }
  return new Set(ids).difference(reached);
}

/**
 * Builds the console in memory, by its own configuration.
 * @throws Error when what comes out is not what the product serves.
 */
export async function buildConsole(): Promise<ConsoleBuild> {
  let apart: ReadonlySet<string> = new Set();
  const later = new Set<string>();
  const built = await build({
    configFile: path.join(CONSOLE, 'vite.config.ts'),
    logLevel: 'warn',
    build: { write: false },
    plugins: [
      {
        name: 'module-graph',
        generateBundle() {
          apart = standingApart(this);
          for (const id of this.getModuleIds()) {
            if (id.includes('/node_modules/')) continue;
            for (const loaded of this.getModuleInfo(id)?.dynamicallyImportedIds ?? [])
              later.add(moduleName(loaded));
          }
        },
      },
    ],
  });
  if (!('output' in built)) throw new Error('The console is one build.');
  const files = new Map(built.output.map((file) => [file.fileName, file]));
  for (const name of files.keys()) {
    if (!existsSync(path.join(CONSOLE, 'dist', name))) throw new Error(`The product does not serve ${name}.`);
  }
  return { files, apart, loadedLater: [...later] };
}
