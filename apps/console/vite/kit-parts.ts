import { fileURLToPath } from 'node:url';

/** What of the kit comes with every page, and what with the first menu, or the first field to pick from, in this order. */
const PARTS = [
  { name: 'kit', of: ['dialog', 'tooltip', 'tabs', 'csp-provider'] },
  { name: 'menus', of: ['menu'] },
  { name: 'pickers', of: ['combobox'] },
] as const;

interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** The modules that one needs, by their ids. */
function needed(graph: Graph, start: string): ReadonlySet<string> {
  const all = new Set<string>();
  const open = [start];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (all.has(id)) continue;
    all.add(id);
    open.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return all;
}

let parts: readonly { readonly name: string; readonly ids: ReadonlySet<string> }[] | undefined;

/** The chunk of a module of the kit: the first part that needs it, and icons with what every page has. */
export function kitOf(id: string, graph: Graph): string {
  parts ??= PARTS.map(({ name, of }) => ({
    name,
    ids: new Set(
      of.flatMap((part) => [...needed(graph, fileURLToPath(import.meta.resolve(`@base-ui/react/${part}`)))]),
    ),
  }));
  return parts.find(({ ids }) => ids.has(id))?.name ?? 'kit';
}
