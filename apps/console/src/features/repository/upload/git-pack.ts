import type { ChosenFile } from './chosen-files.ts';
import { sha1 } from '@noble/hashes/legacy.js';

/** Numbers of the kinds of objects in a pack (git's gitformat-pack). */
const KINDS = { commit: 1, tree: 2, blob: 3 } as const;
type Kind = keyof typeof KINDS;
const MODES = { folder: '40000', file: '100644', program: '100755' } as const;

const text = new TextEncoder();

interface GitObject {
  readonly kind: Kind;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A commit without a parent, and everything that it consists of, by the names that git gives. */
export interface FirstCommit {
  readonly id: string;
  readonly objects: ReadonlyMap<string, GitObject>;
}

const hex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** A folder on its way to a tree: files with their mode and name of the object, and folders. */
type Folder = Map<string, Folder | { readonly mode: string; readonly id: Uint8Array }>;

/** Git compares names as bytes, and those of folders as if they ended in '/'. */
function inOrder(a: Uint8Array, b: Uint8Array): number {
  const different = a.findIndex((byte, index) => byte !== b[index]);
  if (different < 0) return a.length - b.length;
  return (a[different] ?? 0) - (b[different] ?? -1);
}

/**
 * Makes files the first commit of a repository.
 * @param by.at when, in seconds since 1970
 */
export function firstCommit(
  files: readonly ChosenFile[],
  by: { readonly author: string; readonly message: string; readonly at: number },
): FirstCommit {
  const objects = new Map<string, GitObject>();
  const add = (kind: Kind, bytes: Uint8Array<ArrayBuffer>): Uint8Array => {
    const id = digestOf([text.encode(`${kind} ${bytes.length}\0`), bytes]);
    objects.set(hex(id), { kind, bytes });
    return id;
  };
  const top: Folder = new Map();
  for (const { path, bytes, isExecutable } of files) {
    const names = path.split('/');
    const name = names.pop() ?? '';
    let folder = top;
    for (const step of names) {
      const known = folder.get(step);
      const next: Folder = known instanceof Map ? known : new Map();
      folder.set(step, next);
      folder = next;
    }
    folder.set(name, { mode: isExecutable ? MODES.program : MODES.file, id: add('blob', bytes) });
  }
  const addTree = (folder: Folder): Uint8Array => {
    const rows = [...folder].map(([name, entry]) => {
      const isFolder = entry instanceof Map;
      const { mode, id } = isFolder ? { mode: MODES.folder, id: addTree(entry) } : entry;
      const order = text.encode(isFolder ? `${name}/` : name);
      return { order, row: joined([text.encode(`${mode} ${name}\0`), id]) };
    });
    rows.sort((a, b) => inOrder(a.order, b.order));
    return add('tree', joined(rows.map(({ row }) => row)));
  };
  const tree = addTree(top);
  // What git keeps as one line, without the signs that end a name.
  const author = by.author.replaceAll(/[<>\p{Cc}]/gu, '').trim() || 'Cannery';
  const signed = `${author} <upload@localhost> ${by.at} +0000`;
  const commit = `tree ${hex(tree)}\nauthor ${signed}\ncommitter ${signed}\n\n${by.message}\n`;
  return { id: hex(add('commit', text.encode(commit))), objects };
}

/** Kind and length of an object in a pack: 4 bits of the length, then 7 in each byte. */
function headOf(kind: Kind, length: number): Uint8Array {
  const bytes = [(KINDS[kind] << 4) | (length & 15)];
  for (let rest = length >>> 4; rest > 0; rest >>>= 7) {
    bytes.push((bytes.pop() ?? 0) | 0x80, rest & 127);
  }
  return Uint8Array.from(bytes);
}

async function deflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

/** Objects as a push sends them. */
export async function packOf({ objects }: FirstCommit): Promise<Uint8Array<ArrayBuffer>[]> {
  const head = new Uint8Array(12);
  const view = new DataView(head.buffer);
  head.set(text.encode('PACK'));
  view.setUint32(4, 2);
  view.setUint32(8, objects.size);
  const pieces: Uint8Array<ArrayBuffer>[] = [head];
  for (const { kind, bytes } of objects.values()) {
    pieces.push(Uint8Array.from(headOf(kind, bytes.length)), await deflated(bytes));
  }
  return [...pieces, digestOf(pieces)];
}

/** SHA-1 of bytes that lie in several pieces: the names of objects in git. The browser's own is not there on an address without TLS. */
function digestOf(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const hash = sha1.create();
  for (const piece of pieces) hash.update(piece);
  return new Uint8Array(hash.digest());
}
