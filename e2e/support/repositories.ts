import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Api, git, type Product, pushFolder } from '@cannery/dev-env';

/** A user of the product, as the `user` fixture gives one. */
export interface Owner {
  readonly name: string;
  readonly api: Api;
}

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'cannery-repository-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Where a repository is on the disk, in whichever process of the product. @throws Error when there is none */
export function repositoryFolder({ dataDir }: Product, { name: owner }: Owner, name: string): string {
  const [folder] = globSync(`{git,git-*/git}/${owner}/${name}.git`, { cwd: dataDir });
  if (folder === undefined) throw new Error(`There is no folder of ${owner}/${name}.`);
  return path.join(dataDir, folder);
}

/** Pushes files as one commit to a repository of the owner, which the first push creates; answers the commit's id. */
export function pushFiles(
  product: Product,
  { name: owner, api }: Owner,
  name: string,
  files: Readonly<Record<string, string>>,
  message = `Import ${name}`,
): Promise<string> {
  return inFolder(async (folder) => {
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), content);
    }
    return pushFolder({ productUrl: product.url, api, folder, owner, name, message });
  });
}

/** Gives a repository of the owner another branch, with the same commit. */
export function pushBranch(product: Product, owner: Owner, name: string, branch: string): Promise<void> {
  return pushRef(product, owner, name, `refs/heads/${branch}`);
}

/** Gives a repository of the owner a tag of its newest commit. */
export function pushTag(product: Product, owner: Owner, name: string, tag: string): Promise<void> {
  return pushRef(product, owner, name, `refs/tags/${tag}`);
}

function pushRef(product: Product, { name: owner, api }: Owner, name: string, ref: string): Promise<void> {
  return inFolder(async (folder) => {
    const { secret } = await api.call<{ secret: string }>('POST', '/repository/tokens', { label: 'branch' });
    const remote = new URL(`/${owner}/${name}.git`, product.url);
    remote.username = owner;
    remote.password = secret;
    await git(['clone', '-q', remote.href, 'clone'], folder);
    await git(['push', '-q', 'origin', `HEAD:${ref}`], path.join(folder, 'clone'));
  });
}
