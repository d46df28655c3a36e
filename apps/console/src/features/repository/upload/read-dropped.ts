import {
  checkAmount,
  type ChosenFile,
  type ChosenFiles,
  placeOf,
  projectOf,
  UnfitFilesError,
} from './chosen-files.ts';

/** A file of a folder, by its path from what was dropped or chosen. */
interface FoundFile {
  readonly path: string;
  readonly file: File;
}

/** Entries of folders that are looked at: most projects have no more, when folders that are left out are not opened. */
const MOST_ENTRIES = 10_000;

/**
 * Reads files into this tab; what is left out is not opened.
 * @param name of the folder
 * @throws UnfitFilesError for too many or too large ones, and for paths that no repository should have
 */
async function filesFrom(
  name: string,
  found: readonly FoundFile[],
  leftOut: Set<string>,
): Promise<ChosenFiles> {
  const taken: FoundFile[] = [];
  let bytes = 0;
  for (const { path: given, file } of found) {
    const place = placeOf(given);
    if (!('path' in place)) {
      if (place.leftOut !== null) leftOut.add(place.leftOut);
      continue;
    }
    taken.push({ path: place.path, file });
    bytes += file.size;
    checkAmount(taken.length, bytes);
  }
  const files: ChosenFile[] = [];
  for (const { path, file } of taken) {
    const content = await file.arrayBuffer().catch((cause: unknown) => {
      throw new UnfitFilesError('A file could not be read. Was it changed meanwhile?', { cause });
    });
    files.push({ path, isExecutable: false, bytes: new Uint8Array(content) });
  }
  return projectOf(name, files, leftOut);
}

/** The files of a folder that was chosen in a field of the browser; each names its path from there. */
export function readFolder(files: readonly File[]): Promise<ChosenFiles> {
  const found = files.map((file) => ({ path: file.webkitRelativePath || file.name, file }));
  const name = found[0]?.path.includes('/') ? found[0].path.split('/', 1)[0] : undefined;
  return filesFrom(name ?? 'project', found, new Set());
}

/** What was dropped, taken while the event lasts: afterwards the browser has nothing of it any more. */
export interface Dropped {
  readonly files: readonly File[];
  readonly entries: readonly FileSystemEntry[];
}

/** What a drop has brought. To be called in its event. */
export function droppedIn({ items, files }: DataTransfer): Dropped {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  return { files: [...files], entries };
}

/** Whether a folder is among what was dropped, or several files, which then count as one. */
export function isProject({ files, entries }: Dropped): boolean {
  return files.length > 1 || entries.some(({ isDirectory }) => isDirectory);
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => {
    entry.file(resolve, reject);
  });

/** A folder tells its entries in pieces; an empty one is the last. */
async function entriesOf(folder: FileSystemDirectoryEntry, most: number): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (some.length === 0) return all;
    all.push(...some);
    if (all.length > most) throw tooMany();
  }
}

const tooMany = (): UnfitFilesError =>
  new UnfitFilesError(`There are more than ${MOST_ENTRIES} files and folders. Push such a project with git.`);

async function foundIn(entries: readonly FileSystemEntry[], leftOut: Set<string>): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  const open = [...entries];
  let seen = 0;
  for (let entry = open.shift(); entry !== undefined; entry = open.shift()) {
    seen += 1;
    if (seen + open.length > MOST_ENTRIES) throw tooMany();
    const path = entry.fullPath.replace(/^\//, '');
    const place = placeOf(path);
    if (!('path' in place)) {
      if (place.leftOut !== null) leftOut.add(place.leftOut);
    } else if (entry.isDirectory)
      open.push(...(await entriesOf(entry as FileSystemDirectoryEntry, MOST_ENTRIES - seen)));
    else found.push({ path, file: await fileOf(entry as FileSystemFileEntry) });
  }
  return found;
}

/** The files of what was dropped. @throws UnfitFilesError as `readFolder` */
export async function readDropped({ files, entries }: Dropped): Promise<ChosenFiles> {
  if (!entries.some(({ isDirectory }) => isDirectory)) return readFolder(files);
  const leftOut = new Set<string>();
  const [only, ...others] = entries;
  try {
    const found = await foundIn(entries, leftOut);
    return await filesFrom(others.length === 0 ? (only?.name ?? '') : 'project', found, leftOut);
  } catch (error) {
    if (error instanceof DOMException)
      throw new UnfitFilesError('The browser could not read this folder.', { cause: error });
    throw error;
  }
}
