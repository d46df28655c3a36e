import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { rowsOf } from '../texts/reading.ts';

export const repository = z.object({
  name: z.string(),
  private: z.boolean(),
  owner: z.object({ login: z.string() }),
  /** Address of the repository for people and for `git clone`. */
  url: z.string(),
  default_branch: z.string().nullable(),
});
export type Repository = z.infer<typeof repository>;

export const branch = z.object({ name: z.string() });

export const template = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  deploy_type: z.string(),
  /** Settings that make a deploy of the template work as it is. */
  build_command: z.string(),
  publish_directory: z.string(),
});
export type Template = z.infer<typeof template>;

/** Longest life of an access token that ends by itself: a day. */
const MOST_TOKEN_MINUTES = 24 * 60;

/** Access tokens of one user. */
export const MAX_GIT_TOKENS = 1000;

export const gitToken = z.object({
  id: z.string(),
  label: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
});
export type GitToken = z.infer<typeof gitToken>;

/** What a page of an account shows: its repositories, and how to bring another one. */
export const repositoryAccount = z.object({
  /** The owner part of the addresses. */
  owner: z.string(),
  /** What git asks for beside an access token. */
  username: z.string(),
  /** Where a new repository is pushed to; `{repo}` marks its name. */
  push_url_pattern: z.string(),
  repositories: z.array(repository),
});
export type RepositoryAccount = z.infer<typeof repositoryAccount>;

const commit = z.object({ id: z.string(), subject: z.string(), author: z.string(), date: z.string() });

const treeEntryKind = z.enum(['file', 'folder', 'link', 'submodule']);

const treeEntry = z.object({
  path: z.string(),
  kind: treeEntryKind,
  /** Bytes; 0 for what is no file. */
  size: z.int().nonnegative(),
});

/** What a page of a repository shows, at one branch. */
export const repositoryContent = z.object({
  owner: z.string(),
  name: z.string(),
  clone_url: z.string(),
  /** Its default branch first. */
  branches: z.array(z.string()),
  /** Null while nothing is pushed. */
  branch: z.string().nullable(),
  files: z.array(treeEntry),
  /** Whether there are more files than are listed. */
  more_files: z.boolean(),
  /** Text of the README in the first folder. */
  readme: z.string().nullable(),
  /** The newest first. */
  commits: z.array(commit),
});
export type RepositoryContent = z.infer<typeof repositoryContent>;

/** Bytes of a file whose text is shown at most. */
export const SHOWN_FILE_BYTES = 512 * 1024;

/** What is at a path of a commit: a file, or the entries of a folder. */
export const repositoryCode = z.object({
  owner: z.string(),
  name: z.string(),
  commit,
  /** Empty for the commit itself. */
  path: z.string(),
  kind: treeEntryKind,
  /** Bytes; 0 for what is no file. */
  size: z.int().nonnegative(),
  /** Null for what is no text, or too large to be shown; of a link, where it leads. */
  text: z.string().nullable(),
  /** Of a folder, by their names in it. */
  entries: z.array(treeEntry),
  /** Whether there are more entries than are listed. */
  more_entries: z.boolean(),
});
export type RepositoryCode = z.infer<typeof repositoryCode>;

const ownRepository = z.object({ owner: z.string().min(1), repo: z.string().min(1) });

/** What uses a repository. */
export const repositoryUses = z.object({
  deploys: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      // What follows is absent where a service does not tell it.
      branch: z.string().optional(),
      /** What it fills, oldest first. */
      canisters: z.array(z.object({ id: z.string(), name: z.string() })).optional(),
      /** Its newest run that has succeeded; null where there is none. */
      live: z
        .object({ id: z.string(), number: z.number(), commit_sha: z.string().nullable() })
        .nullable()
        .optional(),
    }),
  ),
  /** Dapps of the user in the marketplace that name it as their source; absent where a service does not tell. */
  dapps: z.array(z.object({ id: z.string(), name: z.string() })).optional(),
});
export type RepositoryUses = z.infer<typeof repositoryUses>;

/**
 * Owner and name of a repository address: the 4th and 5th '/'-segment, the name without what follows its last dot.
 * Parts that the address does not have are undefined.
 */
export function parseRepositoryUrl(url: string): { owner: string | undefined; name: string | undefined } {
  const segments = url.split('/');
  const last = segments[4];
  const dot = last?.lastIndexOf('.') ?? -1;
  const name = last !== undefined && dot >= 0 ? last.slice(0, dot) : last;
  return { owner: segments[3] || undefined, name: name || undefined };
}

/**
 * The names by which a repository at an address is looked for, in order: without what follows the last dot, then the whole segment, so that
 * a dotted name is reached by the address that the browser shows.
 */
export function repositoryNames(url: string): string[] {
  const names = [parseRepositoryUrl(url).name, url.split('/')[4]];
  return [...new Set(names.flatMap((name) => (name ? [name] : [])))];
}

export const repositoryEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/deploy/repos',
    summary: "The user's repositories at the git provider",
    signedIn: true,
    response: z.array(repository),
    reading: rowsOf(repository),
  }),
  branches: endpoint({
    method: 'POST',
    path: '/deploy/branches',
    summary: 'Branches of a repository, its default branch first',
    signedIn: true,
    again: 'reads',
    body: z.object({
      repo: z.string().min(1),
      owner: z.string().min(1),
      is_public: z.boolean().default(false),
      /** Address of a public repository of another git host; owner and name are then read from it. */
      url: z.string().optional(),
    }),
    response: z.array(branch),
    reading: rowsOf(branch),
  }),
  templates: endpoint({
    method: 'GET',
    path: '/repository/templates',
    summary: 'Starter templates of the embedded git host',
    signedIn: true,
    response: z.array(template),
  }),
  addTemplate: endpoint({
    method: 'POST',
    path: '/repository/templates/{id}',
    summary: 'Creates a repository of the user from a starter template',
    signedIn: true,
    params: z.object({ id: z.string().min(1) }),
    response: repository,
  }),
  tokens: endpoint({
    method: 'GET',
    path: '/repository/tokens',
    summary: 'Access tokens for git push, without their secrets',
    signedIn: true,
    response: z.array(gitToken),
  }),
  createToken: endpoint({
    method: 'POST',
    path: '/repository/tokens',
    summary: 'Creates an access token for git push; its secret is in this answer only',
    signedIn: true,
    body: z.object({
      label: z.string().trim().min(1).max(100),
      /** After a number of minutes it ends by itself; without, it lasts until it is revoked. */
      minutes: z.number().int().min(1).max(MOST_TOKEN_MINUTES).optional(),
    }),
    response: gitToken.extend({ secret: z.string() }),
  }),
  revokeToken: endpoint({
    method: 'DELETE',
    path: '/repository/tokens/{id}',
    summary: 'Revokes an access token',
    signedIn: true,
    params: z.object({ id: z.string().min(1) }),
    response: z.object({ message: z.string() }),
  }),
  account: endpoint({
    method: 'GET',
    path: '/repository/account',
    summary: "The user's own account at the embedded git host, for a page that shows it",
    signedIn: true,
    query: z.object({
      /** An owner other than the user is not found. */
      owner: z.string().optional(),
    }),
    response: repositoryAccount,
  }),
  content: endpoint({
    method: 'GET',
    path: '/repository/content/{owner}/{repo}',
    summary: "Branches, files, README and last commits of one of the user's own repositories at a branch",
    signedIn: true,
    params: ownRepository,
    query: z.object({
      /** The default branch when absent. */
      branch: z.string().optional(),
    }),
    response: repositoryContent,
  }),
  code: endpoint({
    method: 'GET',
    path: '/repository/code/{owner}/{repo}',
    summary: "A file or folder of one of the user's own repositories at a commit",
    signedIn: true,
    params: ownRepository,
    query: z.object({
      /** Its whole id. */
      commit: z.string().min(1).max(64),
      path: z.string().max(4096).default(''),
    }),
    response: repositoryCode,
  }),
  uses: endpoint({
    method: 'GET',
    path: '/repository/uses/{owner}/{repo}',
    summary: "Deploys that take their code from one of the user's own repositories",
    signedIn: true,
    params: ownRepository,
    response: repositoryUses,
  }),
  rename: endpoint({
    method: 'POST',
    path: '/repository/rename/{owner}/{repo}',
    summary:
      "Gives one of the user's own repositories another name; its deploys go with it, its old address ends",
    signedIn: true,
    params: ownRepository,
    body: z.object({ new_name: z.string().min(1).max(100) }),
    response: repository,
  }),
  setDefaultBranch: endpoint({
    method: 'PATCH',
    path: '/repository/content/{owner}/{repo}',
    summary: "Makes another branch of one of the user's own repositories its default one",
    signedIn: true,
    again: 'same',
    params: ownRepository,
    body: z.object({ default_branch: z.string().min(1).max(240) }),
    response: repository,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/repository/content/{owner}/{repo}',
    summary: "Deletes one of the user's own repositories for good; what its deploys have published stays",
    signedIn: true,
    params: ownRepository,
    response: z.object({ message: z.string() }),
  }),
};
