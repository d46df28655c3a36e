import { z } from 'zod';

/**
 * What the console reads of an answer. The service's own answers are held to the strict schema of their call; a reading
 * asks only for what the specification names, takes every field as possibly missing, and never fails for one of them.
 */
export interface Reading<T> {
  /** @throws UnreadableAnswer when the body is none of the forms that the call may answer with. */
  readonly read: (body: unknown) => T;
}

/** A reading of a list, which can be read piece by piece. */
export interface RowsReading<Row> extends Reading<Row[]> {
  /** The rows of an answer as they came. @throws UnreadableAnswer when it holds no list. */
  readonly unwrap: (body: unknown) => readonly unknown[];
  /** The rows that can be read; what is no object is left out. */
  readonly readRows: (rows: readonly unknown[]) => Row[];
}

/** An answer in a form that its call does not have. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer';
}

/**
 * A strict answer as its lenient reading gives it. Empty forms: null for texts, numbers and objects, false for yes or
 * no, [] for lists, and '' for an `id`, so that a row without one still has a place in its list.
 */
export type Read<T> = T extends string
  ? string | null
  : T extends number
    ? number | null
    : T extends boolean
      ? boolean
      : T extends readonly (infer Element)[]
        ? NonNullable<Read<Element>>[]
        : T extends null | undefined
          ? null
          : T extends object
            ? ReadObject<T> | null
            : T;

/** An object of which every field is read leniently. */
export type ReadObject<T> = { [Key in keyof T]: Key extends 'id' ? string : Read<T[Key]> };

type Schema = z.core.$ZodType;
type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
}

function readNumber(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** Reads a value, with an empty form for what does not fit. */
type Reader = (value: unknown) => unknown;

/**
 * The readers made so far. Which kind of schema one is takes longer to ask than a value takes to read, and a list asks it of each field of
 * ten thousand rows.
 */
const readers = new WeakMap<Schema, Reader>();

/** What reads values by the schema of a strict answer. */
function readerOf(schema: Schema): Reader {
  const known = readers.get(schema);
  if (known !== undefined) return known;
  const reader = makeReader(schema);
  readers.set(schema, reader);
  return reader;
}

function makeReader(schema: Schema): Reader {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return readerOf(schema.unwrap());
  if (schema instanceof z.ZodObject) {
    const fields = fieldsReader(schema);
    return (value) => (isFields(value) ? fields(value) : null);
  }
  if (schema instanceof z.ZodArray) {
    const read = readerOf(schema.element);
    return (value) => {
      const list: readonly unknown[] = Array.isArray(value) ? value : [];
      const elements = list.map((element) => read(element));
      const isRead = elements.every((element, place) => element === list[place] && element !== null);
      return isRead ? list : elements.filter((element) => element !== null);
    };
  }
  if (schema instanceof z.ZodUnion) {
    const list = schema.options.find((option) => option instanceof z.ZodArray);
    const other = schema.options.find((option) => !(option instanceof z.ZodArray));
    return (value) => {
      const fits = Array.isArray(value) ? list : other;
      return fits === undefined ? null : readerOf(fits)(value);
    };
  }
  if (schema instanceof z.ZodNumber) return readNumber;
  if (schema instanceof z.ZodBoolean) return (value) => value === true || value === 'true' || value === 1;
  if (schema instanceof z.ZodUnknown) return (value) => value;
  return readText;
}

/**
 * What reads the fields of an object; those of objects in it are looked at when there is one, so that a schema may hold itself. What is
 * as its reading would be is that: a copy of each of ten thousand rows is twice the work for whoever collects garbage.
 */
function fieldsReader(schema: z.ZodObject): (value: Fields) => Fields {
  let fields: readonly (readonly [string, Reader])[] | undefined;
  return (value) => {
    fields ??= Object.entries(schema.shape).map(([name, field]) => [name, readerOf(field)]);
    const read = fields.map(([name, reader]) => {
      const found = reader(value[name]);
      return name === 'id' ? (found ?? '') : found;
    });
    const isRead =
      Object.keys(value).length === fields.length &&
      fields.every(([name], place) => read[place] === value[name]);
    return isRead ? value : Object.fromEntries(fields.map(([name], place) => [name, read[place]]));
  };
}

function readFields(schema: z.ZodObject, value: Fields): unknown {
  return readerOf(schema)(value);
}

/** The forms an answer may have: bare, below `data`, or below `data.data`. */
function formsOf(body: unknown): unknown[] {
  const inner = isFields(body) ? body['data'] : undefined;
  return [body, inner, isFields(inner) ? inner['data'] : undefined];
}

/** The form that has the most fields of a schema; the outermost of equals. */
function bestForm(schema: z.ZodObject, body: unknown): Fields | undefined {
  const known = (form: Fields): number => Object.keys(schema.shape).filter((name) => name in form).length;
  return formsOf(body)
    .filter(isFields)
    .toSorted((left, right) => known(right) - known(left))[0];
}

/** One entity, bare or wrapped. */
export function entityOf<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
): Reading<ReadObject<z.output<z.ZodObject<Shape>>>> {
  return {
    read: (body) => {
      const form = bestForm(schema, body);
      if (form === undefined) throw new UnreadableAnswer('The answer is not an object.');
      return readFields(schema, form) as ReadObject<z.output<z.ZodObject<Shape>>>;
    },
  };
}

/** A list of entities, bare or wrapped; null or nothing in the list's place is an empty one. */
export function rowsOf<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
): RowsReading<ReadObject<z.output<z.ZodObject<Shape>>>> {
  const unwrap = (body: unknown): readonly unknown[] => {
    const forms = formsOf(body);
    const list = forms.find((form): form is unknown[] => Array.isArray(form));
    if (list !== undefined) return list;
    const innermost = forms.findLast((form) => form !== undefined);
    const isNothing = innermost === null || (isFields(innermost) && Object.keys(innermost).length === 0);
    if (isNothing) return [];
    throw new UnreadableAnswer('The answer holds no list.');
  };
  const readRows = (rows: readonly unknown[]) =>
    rows.filter(isFields).map((row) => readFields(schema, row) as ReadObject<z.output<z.ZodObject<Shape>>>);
  return { unwrap, readRows, read: (body) => readRows(unwrap(body)) };
}

/**
 * The id that an answer gives, by itself or in a field of one of the names, bare or wrapped, such as
 * `{canister_id: {canister_id}}`, `{data: {canister_id}}` or `{data: id}`; undefined when it gives none.
 */
export function idOf(...names: readonly string[]): Reading<string | undefined> {
  const places = [...names, 'data', 'id'];
  const find = (value: unknown, depth: number): string | undefined => {
    const text = readText(value);
    if (text !== null && text !== '') return text;
    if (!isFields(value) || depth === 0) return undefined;
    for (const place of places) {
      const found = find(value[place], depth - 1);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return { read: (body) => find(body, 3) };
}

/** A call whose status alone decides; of the answer, whatever it is, the given fields are read. */
export function outcomeOf<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
): Reading<ReadObject<z.output<z.ZodObject<Shape>>>> {
  return {
    read: (body) =>
      readFields(schema, bestForm(schema, body) ?? {}) as ReadObject<z.output<z.ZodObject<Shape>>>,
  };
}

/** A call whose status alone decides. */
export const outcome = outcomeOf(z.object({}));

/** A call that has failed, whatever its status, when the answer has `data` that is empty: null, false, 0 or ''. */
export const truthyOutcome: typeof outcome = {
  read: (body) => {
    if (isFields(body) && 'data' in body && !body['data']) {
      throw new UnreadableAnswer('The service did not confirm that it has done this.');
    }
    return outcome.read(body);
  },
};
