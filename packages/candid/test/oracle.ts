import { didToJs } from '@ic-reactor/parser';
import { IDL } from '@icp-sdk/core/candid';

/** What the oracle reads from a .did text: its service, its install arguments and its last definition. */
export interface OracleService {
  readonly service: IDL.ServiceClass | undefined;
  readonly init: IDL.Type[];
}

interface OracleModule {
  readonly idlFactory?: (lib: { IDL: typeof IDL }) => IDL.ServiceClass;
  readonly init?: (lib: { IDL: typeof IDL }) => IDL.Type[];
}

/** Parses with the Rust implementation of Candid (compiled to WebAssembly). Throws where it refuses. */
export async function oracle(did: string): Promise<OracleService> {
  let script: string;
  try {
    script = didToJs(did);
  } catch (error) {
    throw new Error(`oracle: ${String(error)}`);
  }
  const module: OracleModule = await import(`data:text/javascript,${encodeURIComponent(script)}`);
  return { service: module.idlFactory?.({ IDL }), init: module.init?.({ IDL }) ?? [] };
}

function behind(type: IDL.Type): IDL.Type {
  let current = type;
  while (current instanceof IDL.RecClass) {
    const inner: IDL.Type | undefined = current.getType();
    if (!inner) throw new Error('recursive type is not filled');
    current = inner;
  }
  return current;
}

/** The first difference between two types as a path, or undefined when they describe the same type. */
export function difference(
  left: IDL.Type,
  right: IDL.Type,
  path = '',
  seen = new Map<IDL.Type, Set<IDL.Type>>(),
): string | undefined {
  const a = behind(left);
  const b = behind(right);
  const known = seen.get(a) ?? new Set();
  if (known.has(b)) return undefined;
  seen.set(a, known.add(b));
  if (a.typeName !== b.typeName) return `${path}: ${a.name} is not ${b.name}`;
  const lists = [childrenOf(a), childrenOf(b)] as const;
  if (lists[0].length !== lists[1].length) return `${path}: other number of parts`;
  for (const [index, [label, child]] of lists[0].entries()) {
    const [otherLabel, other] = lists[1][index] ?? ['nothing', ''];
    if (label !== otherLabel) return `${path}: ${label} is not ${otherLabel}`;
    if (typeof child === 'string' || typeof other === 'string') continue;
    const inner = difference(child, other, `${path}/${label}`, seen);
    if (inner) return inner;
  }
  return childrenOf(a).length === 0 && a.name !== b.name ? `${path}: ${a.name} is not ${b.name}` : undefined;
}

function childrenOf(type: IDL.Type): [string, IDL.Type | string][] {
  if (type instanceof IDL.VecClass || type instanceof IDL.OptClass) return [['inner', type._type]];
  if (type instanceof IDL.RecordClass || type instanceof IDL.VariantClass) return type._fields;
  if (type instanceof IDL.ServiceClass) return type._fields;
  if (type instanceof IDL.FuncClass) {
    return [
      ...type.argTypes.map((arg): [string, IDL.Type] => ['arg', arg]),
      ...type.retTypes.map((result): [string, IDL.Type] => ['result', result]),
      ...type.annotations.map((mode): [string, string] => [mode, mode]),
    ];
  }
  return [];
}
