import { chmodSync, chownSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBare } from '../sandbox/bare.ts';
import { diskOf } from '../tenant/disk-of.ts';
import { openWorkspace, type Workspace, type WorkspaceMachine, type WorkspaceName } from './workspace.ts';

/** A workspace of a test, which looks at its folders from outside. */
export interface TestWorkspace extends Workspace {
  /** Writes a file of the checkout from outside, as its builds might have; no folder program is started for it. */
  put(path: string, content: string | Uint8Array, mode?: number): void;
  readonly disk: {
    readonly source: string;
    readonly home: string;
    readonly cache: string;
    readonly kept: string;
  };
}

/** Works on the folders of tests without a sandbox. */
export const noSandbox: WorkspaceMachine['sandbox'] = {
  hasUsers: false,
  adopt: async () => undefined,
  open: (_root, base) => openBare(base),
};

export type TestWorkspaceOptions = Partial<WorkspaceName> & Pick<WorkspaceMachine, 'images'>;

/** Makes the folders of a build below the data folder of a test. */
export async function testWorkspace(
  dataDir: string,
  sandbox: WorkspaceMachine['sandbox'] = noSandbox,
  { owner = 'ada', id = crypto.randomUUID(), images }: TestWorkspaceOptions = {},
): Promise<TestWorkspace> {
  const workspace = await openWorkspace({ ...testMachine(dataDir, sandbox), images }, { owner, id });
  const { source, home, cache, kept } = workspace;
  const disk = { source: diskOf(source), home: diskOf(home), cache: diskOf(cache), kept: diskOf(kept) };
  const put: TestWorkspace['put'] = (path, content, mode = 0o644) => {
    const { uid, gid } = statSync(disk.source);
    let at = disk.source;
    for (const part of path
      .split('/')
      .filter((one) => one !== '.')
      .slice(0, -1)) {
      at = join(at, part);
      if (existsSync(at)) continue;
      mkdirSync(at);
      chownSync(at, uid, gid);
    }
    const file = join(disk.source, path);
    writeFileSync(file, content, { mode });
    chmodSync(file, mode);
    chownSync(file, uid, gid);
  };
  return { ...workspace, disk, put };
}

/** What workspaces of a test are made with. */
export function testMachine<Kind extends WorkspaceMachine['sandbox']>(dataDir: string, sandbox: Kind) {
  return { sandbox, buildsFolder: join(dataDir, 'builds'), tenantsFolder: join(dataDir, 'tenants') };
}
