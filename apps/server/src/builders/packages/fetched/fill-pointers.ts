import type { LfsObject, LfsSource } from '../../../git/lfs/lfs-object.ts';
import { filesText, sizeText } from '../../site/amount-text.ts';
import type { Pointer, TenantFolder } from '../../tenant/tenant-folder.ts';
import type { Checkout } from '../../source/checkout.ts';
import { SIZE_LIMIT } from '../../source/tree-check.ts';

/** Files of a checkout that get their content, and how long that may take, in milliseconds. */
const FILES_LIMIT = 5_000;
const TIME_LIMIT_MS = 10 * 60 * 1000;
/** Paths that are named for one cause, and characters of one. */
const NAMED = 20;
const PATH_SHOWN = 200;

/** Files that stay pointers, by the cause. */
class Left {
  readonly #paths = new Map<string, string[]>();

  add(cause: string, pointers: readonly Pointer[]): void {
    const paths = this.#paths.get(cause) ?? [];
    paths.push(...pointers.map(({ path }) => path));
    this.#paths.set(cause, paths);
  }

  lines(): string[] {
    return [...this.#paths].map(([cause, paths]) => {
      const named = paths.slice(0, NAMED).map((path) => path.slice(0, PATH_SHOWN));
      const more = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : '';
      return `Files of Git LFS that stay pointers: ${named.join(', ')}${more}. ${cause}`;
    });
  }
}

/**
 * Puts the content of files that are pointers of Git LFS in their place, as far as it can be had and a checkout may be as large. What
 * cannot be had stays a pointer and is named with its cause.
 * @throws the reason of the signal; BuildError when the files cannot be written
 */
export async function fillPointers(
  { folder, signal, say }: { folder: TenantFolder; signal: AbortSignal; say: (line: string) => void },
  { pointers, bytes, links }: Pick<Checkout, 'pointers' | 'bytes' | 'links'>,
  source: LfsSource,
): Promise<void> {
  const left = new Left();
  const wanted = wantedOf(pointers, { room: SIZE_LIMIT - bytes, links: new Set(links), left });
  const limit = AbortSignal.timeout(TIME_LIMIT_MS);
  const end = AbortSignal.any([signal, limit]);
  let files = 0;
  let written = 0;
  try {
    for await (const { object, found } of source.objects(
      [...wanted.values()].map(({ object }) => object),
      end,
    )) {
      const at = wanted.get(object.oid)?.at ?? [];
      wanted.delete(object.oid);
      if ('cause' in found) {
        left.add(found.cause, at);
        continue;
      }
      for (const { path, kind } of at) {
        await folder.fill(path, { size: object.size, pieces: found.read(), program: kind === 'program' });
        files += 1;
        written += object.size;
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!limit.aborted) throw error;
    const cause = `Their content did not come within ${TIME_LIMIT_MS / 60_000} minutes.`;
    for (const { at } of wanted.values()) left.add(cause, at);
  }
  if (files > 0) say(`Git LFS: ${filesText(files)}, ${sizeText(written)}`);
  for (const line of left.lines()) say(line);
}

interface Wanted {
  readonly object: LfsObject;
  readonly at: Pointer[];
}

/** The objects that are to be had, by their ids, each with the files that it belongs into. */
function wantedOf(
  pointers: readonly Pointer[],
  { room, links, left }: { room: number; links: ReadonlySet<string>; left: Left },
): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  let free = room;
  let files = 0;
  for (const pointer of pointers) {
    const { path, oid, size, extended } = pointer;
    // A link may have any text.
    if (links.has(path)) continue;
    const cause = extended
      ? 'A program of their author has to read them (an extension of Git LFS), which is not run here.'
      : files >= FILES_LIMIT
        ? `A build gets ${FILES_LIMIT} files of Git LFS at most.`
        : size > free
          ? `The files of a repository may have ${SIZE_LIMIT / 1024 ** 2} MB together.`
          : (wanted.get(oid)?.object.size ?? size) !== size
            ? 'They say another size of the same content than other files do.'
            : null;
    if (cause !== null) {
      left.add(cause, [pointer]);
      continue;
    }
    files += 1;
    free -= size;
    const same = wanted.get(oid);
    if (same === undefined) wanted.set(oid, { object: { oid, size }, at: [pointer] });
    else same.at.push(pointer);
  }
  return wanted;
}
