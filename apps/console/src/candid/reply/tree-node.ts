import { chosenOf, fieldsOf, isBlob, printKey, printValue, unwrap } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import { bytesText } from '../shown-texts.ts';
import { hexText } from '../form/blob-bytes.ts';

/** This many bytes of a blob are shown in the tree. */
const SHOWN_BYTES = 24;

/** A part of a reply, its own parts made when they are wanted. */
export interface TreeNode {
  /** Name of the field, index of the item, or undefined for a reply of one value. */
  readonly label: string | undefined;
  /** The value, or what a composite one is. */
  readonly text: string;
  /** How many parts it has; 0 for one without. */
  readonly size: number;
  /** Some of the parts: from an index, this many at most. */
  readonly parts: (from: number, count: number) => TreeNode[];
}

/** The tree of a decoded value. */
export function treeNode(outer: IDL.Type, value: unknown, label?: string): TreeNode {
  const type = unwrap(outer);
  if (isBlob(type)) return leaf(label, blobText(Uint8Array.from(value as Iterable<number>)));
  if (type instanceof IDL.VecClass) {
    const items: unknown[] = Array.from(value as Iterable<unknown>);
    const inner: IDL.Type = type._type;
    return node(label, counted('vec', items.length, 'item'), items, (item, index) =>
      treeNode(inner, item, String(index)),
    );
  }
  if (type instanceof IDL.OptClass) {
    const [inner]: unknown[] = Array.from(value as Iterable<unknown>);
    if (inner === undefined) return leaf(label, 'null');
    const some = treeNode(type._type, inner, label);
    return { ...some, text: `opt ${some.text}` };
  }
  if (type instanceof IDL.RecordClass) {
    const fields = fieldsOf(type);
    return node(label, counted('record', fields.length, 'field'), fields, ([key, part], index) => {
      const of = Array.isArray(value) ? value[index] : (value as Record<string, unknown>)[key];
      return treeNode(part, of, Array.isArray(value) ? String(index) : printKey(key));
    });
  }
  if (type instanceof IDL.VariantClass) {
    const chosen = chosenOf(type, value as object);
    if (!chosen) return leaf(label, '');
    const [key, part] = chosen;
    if (unwrap(part) instanceof IDL.NullClass) return leaf(label, `variant ${printKey(key)}`);
    const inner = treeNode(part, (value as Record<string, unknown>)[key], printKey(key));
    return node(label, 'variant', [inner], (only) => only);
  }
  return leaf(label, printValue(type, value, Number.POSITIVE_INFINITY));
}

function leaf(label: string | undefined, text: string): TreeNode {
  return { label, text, size: 0, parts: () => [] };
}

function node<Part>(
  label: string | undefined,
  text: string,
  all: readonly Part[],
  of: (part: Part, index: number) => TreeNode,
): TreeNode {
  return {
    label,
    text,
    size: all.length,
    parts: (from, count) => all.slice(from, from + count).map((part, offset) => of(part, from + offset)),
  };
}

function counted(word: string, count: number, part: string): string {
  return `${word}, ${count.toLocaleString('en-US')} ${count === 1 ? part : `${part}s`}`;
}

function blobText(bytes: Uint8Array): string {
  const digits = hexText(bytes.subarray(0, SHOWN_BYTES)).replace(/(..)(?=.)/g, '$1 ');
  return `blob, ${bytesText(bytes.length)}${digits && `: ${digits}`}${bytes.length > SHOWN_BYTES ? ' …' : ''}`;
}
