import type { ErrorCode } from '@cannery/contract';
import { quickStart } from './paths.ts';

/** A place in the guide. */
export interface ChapterLink {
  /** File name of the chapter without `.md`. */
  readonly page: string;
  /** The anchor of a heading; absent for the beginning. */
  readonly hash?: string;
  /** What is told there. */
  readonly title: string;
}

const firstCanister: ChapterLink = {
  page: 'first-canister',
  hash: 'create-it',
  title: 'Create your first canister',
};
const installing: ChapterLink = {
  page: 'first-canister',
  hash: 'put-code-into-it',
  title: 'Put code into a canister',
};
const ownProject: ChapterLink = {
  page: 'first-site',
  hash: 'from-your-own-project',
  title: 'Deploy your own project',
};
const cycles: ChapterLink = { page: 'pay-with-cycles', hash: 'more-cycles', title: 'Get more cycles' };
const stopping: ChapterLink = {
  page: 'first-canister',
  hash: 'stop-it-start-it-delete-it',
  title: 'Stop, start and delete a canister',
};
const failedCall: ChapterLink = {
  page: 'candid-page',
  hash: 'when-a-call-fails',
  title: 'When a call fails',
};
const ownInterface: ChapterLink = { page: 'candid-page', title: 'Call a canister by hand' };
const submitting: ChapterLink = {
  page: 'registries-and-marketplace',
  hash: 'submit-a-dapp',
  title: 'Submit a dapp',
};
const registries: ChapterLink = {
  page: 'registries-and-marketplace',
  hash: 'keep-a-module-in-a-registry',
  title: 'Keep a module in a registry',
};
const upgrading: ChapterLink = { page: 'upgrade-without-losing-data', title: 'Upgrade without losing data' };

/** By the title of an empty state the chapter that leads out of it; null where its button or field is all there is to know. */
export const emptyStateChapters: Readonly<Record<string, ChapterLink | null>> = {
  'Deploy your first Canister on Internet Computer': firstCanister,
  'No canister matches': null,
  'No DApp matches': null,
  "You haven't deployed anything yet.": { page: 'first-site', title: 'Deploy your first site' },
  "You haven't added any registry yet.": registries,
  'No registry matches': null,
  'No DApp found.': submitting,
  'No dapp matches': null,
  'This dapp cannot be shown.': null,
  'No Transactions To Show': { page: 'pay-with-cycles', hash: 'add-cycles', title: 'Pay with cycles' },
  'No Logs Found': stopping,
  'Nothing has changed yet': installing,
  'No snapshot yet': {
    page: 'upgrade-without-losing-data',
    hash: 'take-a-snapshot',
    title: 'Take a snapshot',
  },
  'The canister has printed nothing': { page: 'first-canister', hash: 'call-it', title: 'Call a canister' },
  'No record matches': null,
  'Connect a repository': ownProject,
  'There is no such canister': null,
  'No code is installed': installing,
  'This canister publishes no interface': ownInterface,
  'The interface cannot be read': ownInterface,
  'This canister has no public methods': ownInterface,
  'No user matches.': null,
  'There is no such product.': null,
  'The shelf is empty.': null,
};

/** By the code of an error the chapter that tells what to do; null where its next step is all there is to know. */
export const errorChapters: Readonly<Record<ErrorCode, ChapterLink | null>> = {
  unauthenticated: null,
  sign_in_failed: { page: 'quick-start', hash: 'sign-in', title: 'Sign in' },
  not_allowed: { page: 'deploy-from-ci', hash: 'create-a-token', title: 'Create a token' },
  not_found: null,
  invalid_input: null,
  insufficient_balance: cycles,
  canister_not_stopped: stopping,
  canister_busy: null,
  deploy_busy: null,
  invalid_wasm: installing,
  invalid_icon: submitting,
  install_failed: upgrading,
  network_rejected: failedCall,
  network_shared: null,
  network_unavailable: null,
  database_unavailable: null,
  storage_unavailable: null,
  disk_full: null,
  payload_too_large: null,
  repository_busy: null,
  repository_deleted: ownProject,
  repository_not_found: ownProject,
  git_host_unavailable: null,
  git_connection_failed: ownProject,
  already_exists: null,
  quota_reached: null,
  rate_limited: null,
  internal: null,
};

/** The chapter of an error of the service; a code may be one that only another service has. */
export function chapterOfError(code: string): ChapterLink | undefined {
  return Object.hasOwn(errorChapters, code) ? (errorChapters[code as ErrorCode] ?? undefined) : undefined;
}

/** The chapter of an empty state; its title may be of somebody's making. */
export function chapterOfEmptyState(title: string): ChapterLink | undefined {
  return Object.hasOwn(emptyStateChapters, title) ? (emptyStateChapters[title] ?? undefined) : undefined;
}

/** The address of a place in the guide. */
export function chapterAddress({ page, hash }: ChapterLink): string {
  return `/documentation/${quickStart.section}/${page}${hash === undefined ? '' : `#${hash}`}`;
}
