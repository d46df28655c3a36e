/**
 * Where folders of tenants are on disk. Only what mounts such a folder for a sandbox may ask (the rules in layers.json):
 * a path below it means to the server what the tenant has made of it, such as a link to the host's root.
 */
const disks = new WeakMap<object, Place>();

interface Place {
  readonly own: string;
  readonly mounted: string;
}

/**
 * Notes where a folder is; the server has made it in a folder that it alone writes.
 * @param own its path for this process
 * @param mounted its path for programs that see the disk of the build (`BuildPlace.entry`)
 */
export function placeOnDisk(folder: object, own: string, mounted: string = own): void {
  disks.set(folder, { own, mounted });
}

function placeOf(folder: object): Place {
  const place = disks.get(folder);
  if (place === undefined) throw new TypeError('This folder of a tenant has no place on disk.');
  return place;
}

/** Its path for this process. @throws TypeError for what was never placed */
export function diskOf(folder: object): string {
  return placeOf(folder).own;
}

/** Its path for programs that see the disk of its build. @throws TypeError for what was never placed */
export function mountedDiskOf(folder: object): string {
  return placeOf(folder).mounted;
}
