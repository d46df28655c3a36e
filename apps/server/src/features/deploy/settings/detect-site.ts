import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { BodyOf, DetectedSiteAnswer, deployEndpoints } from '@cannery/contract';
import {
  type DetectedSite,
  type RepositoryLook,
  textsWanted,
} from '../../../builders/site/detect-framework.ts';
import { SETTINGS_LIMIT } from '../../../builders/site/site-project.ts';
import { removeFolder } from '../../../builders/process/remove-folder.ts';
import type { Actor, AppContext } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { newestOf } from '../../../git/repository/read-refs.ts';
import { blobOf, treeOf } from '../../../git/repository/read-repository.ts';
import { runInThread } from '../../../thread/run-in-thread.ts';
import { rootDirectoryOf } from './create-deploy.ts';
import { rootsFrom } from './roots-from.ts';
import { findPlace, withSourceAt } from '../../repository/repository-place.ts';

/** Most files of a repository whose names are looked at, and most bytes of a file that is read. */
const MOST_FILES = 5_000;
const TIMEOUT_MS = 5_000;
const HEAP_MEGABYTES = 64;
/** How long the fetch of a repository of another host may take, in milliseconds. */
const FETCH_MS = 20_000;

/**
 * Looks at a branch without checking it out: names of files, package.json and settings of site generators.
 * @throws AppError repository_not_found, git_host_unavailable, or not_found for a branch that does not exist
 */
export async function detectSite(
  ctx: AppContext,
  user: Actor,
  body: BodyOf<typeof deployEndpoints.detect>,
): Promise<DetectedSiteAnswer> {
  const place = await findPlace(ctx, user, { ...body, name: body.repo_name });
  const gitDir = join(ctx.config.dataDir, 'builds', `look-${randomUUID()}`);
  try {
    const signal = AbortSignal.timeout(FETCH_MS);
    const root = rootDirectoryOf(body.root_directory ?? '');
    const { branch } = body;
    const request = await withSourceAt(ctx, user, place, { branch, gitDir, signal }, async (source) =>
      lookAt(source.gitDir, await newestCommit(source.gitDir, branch), root),
    );
    const site = await recognise(request);
    return {
      framework: site.framework,
      why: site.why,
      build_command: site.buildCommand,
      publish_directory: site.publishDirectory,
      node_version: site.nodeVersion,
      package_manager: site.packageManager,
      roots: rootsFrom(root, site.roots),
      advice: site.advice,
      ...(site.betterType !== null && { better_type: site.betterType }),
    };
  } finally {
    if (place.kind !== 'own') await removeFolder(gitDir);
  }
}

/** Tells what a look has seen, in a thread. @throws as `runInThread` */
export function recognise(request: RepositoryLook): Promise<DetectedSite> {
  return runInThread<DetectedSite>({
    module: new URL('../../../builders/site/detect-worker.ts', import.meta.url),
    request,
    heapMegabytes: HEAP_MEGABYTES,
    timeoutMs: TIMEOUT_MS,
  });
}

/** The newest commit of a branch. @throws AppError not_found for a branch that does not exist */
export async function newestCommit(gitDir: string, branch: string): Promise<string> {
  const commit = await newestOf(gitDir, branch);
  if (commit === null) throw notFound('Branch');
  return commit;
}

/**
 * Names of files of a commit, and those texts that say what they are.
 * @param root folder whose files are looked at; empty for all
 */
export async function lookAt(gitDir: string, commit: string, root: string): Promise<RepositoryLook> {
  const entries = await treeOf(gitDir, commit, { recursive: true, most: MOST_FILES });
  const above = root === '' ? '' : `${root}/`;
  const files = new Map(
    entries
      .filter(({ kind, path }) => kind === 'file' && path.startsWith(above))
      .map((entry) => [entry.path.slice(above.length), entry] as const),
  );
  const paths = [...files.keys()];
  const textOf = async ({ objectId, size }: { objectId: string; size: number }): Promise<string | null> =>
    size > SETTINGS_LIMIT ? null : (await blobOf(gitDir, objectId, SETTINGS_LIMIT)).toString('utf8');
  const texts = new Map<string, string>();
  for (const path of textsWanted(paths)) {
    const entry = files.get(path);
    const text = entry === undefined ? null : await textOf(entry);
    if (text !== null) texts.set(path, text);
  }
  if (root === '') return { paths, texts };
  const atRoot = entries.filter(({ kind, path }) => kind === 'file' && !path.includes('/'));
  const manifest = atRoot.find(({ path }) => path === 'package.json');
  const text = manifest === undefined ? null : await textOf(manifest);
  const top = new Map(text === null ? [] : [['package.json', text] as const]);
  return { paths, texts, above: { paths: atRoot.map(({ path }) => path), texts: top } };
}
