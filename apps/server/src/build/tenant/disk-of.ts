/**
 * Where folders of tenants are on disk. Only what mounts such a folder for a sandbox may ask (scripts/check-tenant-paths.ts):
 * a path below it means to the server what the tenant has made of it, such as a link to the host's root.
 */
const disks = new WeakMap<object, string>();

/** Notes where a folder is; the server has made it in a folder that it alone writes. */
export function placeOnDisk(folder: object, disk: string): void {
  disks.set(folder, disk);
}

/** @throws TypeError for what was never placed */
export function diskOf(folder: object): string {
  const disk = disks.get(folder);
  if (disk === undefined) throw new TypeError('This folder of a tenant has no place on disk.');
  return disk;
}
