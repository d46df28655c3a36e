import type { Kind, Slot } from '../test/authorisation/filled-calls.ts';
import { pngOf } from '../test/support/pictures.ts';
import type { Operation } from './operations.ts';
import type { Random } from './random.ts';
import { newModule, type Resident } from './resident.ts';
import type { Schema, ValueSource } from './schema-values.ts';

/** A request that has not become bytes yet, so that it can be made worse. */
export interface Draft {
  readonly operation: Operation;
  method: string;
  /** Path with its marks filled and coded. */
  path: string;
  query: [string, string][];
  headers: Record<string, string>;
  /** Fields of a JSON body, or a value that is no object. */
  fields: unknown;
  /** The body as it is, in place of the fields. */
  body: Buffer | undefined;
}

/** Whose things are named. */
export type Whose = 'own' | 'others' | 'absent';

/** Who and what a draft is made from. */
export interface Material {
  readonly random: Random;
  readonly values: ValueSource;
  readonly caller: Resident;
  readonly others: readonly Resident[];
}

interface Making extends Material {
  /** Whether every place gets what is meant for it. */
  readonly isPlain: boolean;
}

const ABSENT: Partial<Record<Kind, string>> = {
  canister: 'bkyz2-fmaaa-aaaaa-qaaaq-cai',
  document: 'ab'.repeat(32),
  icon: 'cd'.repeat(32),
  snapshot: '00000000000000010000000000f0000001010',
  commit: 'ef'.repeat(20),
  repository: 'no-such-notes',
  owner: 'nobody',
};
const NO_UUID = '11111111-2222-4333-8444-555555555555';

/** Lists of ids; every other field that names a thing names one. */
const LISTS: ReadonlySet<string> = new Set(['deploy_ids']);

/** What no header can hold (RFC 9110, 5.5): a client refuses to send it. */
const NO_HEADER = /[^\t\u0020-\u007e\u0080-\u00ff]/g;
/** How often a call is made just as it is meant, so that it is carried out; others have any values that their schemas let through. */
const PLAIN_SHARE = 0.5;
/** How often a place of another gets a value that the service can do something with, beside any that its schema lets through. */
const MEANT_SHARE = 0.6;
/** How often a query or body has a place that it need not have. */
const OPTIONAL_SHARE = 0.5;

function idOf(kind: Kind, whose: Whose, { random, caller, others }: Material): string {
  const absent = ABSENT[kind] ?? NO_UUID;
  if (whose === 'absent') return absent;
  const known = whose === 'own' ? caller.things(kind) : random.of(others).things(kind);
  return known.length === 0 ? absent : random.of(known);
}

/** What a place gets: an id, a meant value, or anything its schema lets through. */
function valueOf(
  name: string,
  schema: Schema,
  slot: Slot | undefined,
  whose: Whose,
  material: Making,
): unknown {
  if (slot?.kind !== undefined) {
    const id = idOf(slot.kind, whose, material);
    return LISTS.has(name) ? [id] : id;
  }
  const isMeant = slot?.value !== undefined && (material.isPlain || material.random.chance(MEANT_SHARE));
  return isMeant ? structuredClone(slot.value) : material.values.next(schema);
}

function isKept(isRequired: boolean, slot: Slot | undefined, { isPlain, random }: Making): boolean {
  if (isRequired || slot?.kind !== undefined) return true;
  return isPlain ? slot?.value !== undefined : random.chance(OPTIONAL_SHARE);
}

/** A request as its description wants it. */
export function draftOf(operation: Operation, whose: Whose, from: Material): Draft {
  const material = { ...from, isPlain: from.random.chance(PLAIN_SHARE) };
  const { random, values } = material;
  const slotAt = (place: Slot['place'], name: string): Slot | undefined =>
    operation.slots.find((slot) => slot.place === place && slot.name === name);
  const draft: Draft = {
    operation,
    method: operation.method,
    path: operation.path,
    query: [],
    headers: {},
    fields: undefined,
    body: undefined,
  };
  for (const { name, in: place, required, schema } of operation.parameters) {
    if (place === 'path') {
      const value = valueOf(name, schema, slotAt('params', name), whose, material);
      draft.path = draft.path.replace(`{${name}}`, encodeURIComponent(String(value).toWellFormed()));
    } else if (place === 'query') {
      const slot = slotAt('query', name);
      if (isKept(required, slot, material))
        draft.query.push([name, String(valueOf(name, schema, slot, whose, material))]);
    } else if (random.chance(OPTIONAL_SHARE))
      draft.headers[name.toLowerCase()] = String(values.next(schema)).replaceAll(NO_HEADER, '');
  }
  if (operation.body !== undefined) draft.fields = fieldsOf(operation.body, slotAt, whose, material);
  if (operation.upload !== undefined) fillForm(draft, fileFor(operation.upload, random), random);
  return draft;
}

function fieldsOf(
  body: Schema,
  slotAt: (place: Slot['place'], name: string) => Slot | undefined,
  whose: Whose,
  material: Making,
): unknown {
  if (body.properties === undefined) return material.values.next(body);
  const entries = Object.entries(body.properties).flatMap(([name, schema]): [string, unknown][] => {
    const slot = slotAt('body', name);
    if (!isKept(body.required?.includes(name) === true, slot, material)) return [];
    return [[name, valueOf(name, schema, slot, whose, material)]];
  });
  return Object.fromEntries(entries);
}

function fileFor(upload: string, random: Random): Buffer {
  return upload === 'icon' ? pngOf(String(random.below(1_000_000))) : newModule();
}

/** Makes the draft an upload of one file. */
export function fillForm(draft: Draft, file: Buffer, random: Random, filename = 'a.wasm'): void {
  const boundary = `fuzz${random.below(1_000_000)}`;
  const head = `Content-Disposition: form-data; name="${draft.operation.upload}"; filename="${filename}"`;
  draft.headers['content-type'] = `multipart/form-data; boundary=${boundary}`;
  draft.body = Buffer.concat([
    Buffer.from(`--${boundary}\r\n${head}\r\nContent-Type: application/wasm\r\n\r\n`),
    file,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
}
