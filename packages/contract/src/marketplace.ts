import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { entityOf, idOf, outcome, type ReadObject, rowsOf } from './texts/reading.ts';

/** What a dapp is; a dapp need not say. */
export const dappKinds = ['website', 'token', 'tool'] as const;
export type DappKind = (typeof dappKinds)[number];

/** Orders of the marketplace: when a dapp was submitted, how often it was installed, how it is rated, its name. */
export const dappSorts = ['newest', 'installs', 'rating', 'name'] as const;
export type DappSort = (typeof dappSorts)[number];

/** Longest texts of a dapp, in characters. */
export const dappLimits = { name: 100, description: 2000, notes: 2000, gitUrl: 500, version: 30 } as const;

/** Most stars of one rating; the fewest are 1. */
export const MOST_STARS = 5;

/** Most dapps of one user. */
export const MAX_DAPPS = 1000;

/** Most dapps that one answer to a call with `limit` has. */
export const MAX_DAPP_PAGE = 200;

/** The version a new dapp begins with. */
export const FIRST_VERSION = '1.0.0';

/** Schemes of addresses that git clones from. */
const gitSchemes = ['http:', 'https:', 'git:', 'ssh:'];

/** Whether a text is the address of a git repository: a host behind a scheme of git, without secrets in it. */
export function isGitUrl(text: string): boolean {
  // The address must be what it looks like: a parser of addresses drops line breaks and takes backslashes for slashes.
  if (text.length > dappLimits.gitUrl || !/^[^\s\p{C}\\]+$/u.test(text)) return false;
  if (!/^[a-z]+:\/\/[^/]/i.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  const hasSecret = password !== '' || (username !== '' && protocol !== 'ssh:');
  return gitSchemes.includes(protocol) && hostname !== '' && !hasSecret;
}

/**
 * A git address that a browser can open, as it can be shown; undefined for any other text. Where the host is not written as a browser
 * writes it, with letters that look like others, or slashes that are none, it is what a browser makes of it.
 */
export function webAddressOf(url: string | null | undefined): string | undefined {
  if (url == null || !isGitUrl(url) || !/^https?:/i.test(url)) return undefined;
  const { host, href } = new URL(url);
  return url.split('/')[2]?.toLowerCase() === host ? url : href;
}

/** Whether a text can be on the way to a version: digits and single dots. */
export function isVersionText(text: string): boolean {
  return text.length <= dappLimits.version && /^[\d.]*$/.test(text) && !text.includes('..');
}

/** Whether a text is a version: numbers with a dot between each two. */
export function isVersion(text: string): boolean {
  return text !== '' && isVersionText(text) && !text.startsWith('.') && !text.endsWith('.');
}

/** The words of a text by which it is found, in lower case; at most 300, each cut to 50 characters. */
export function searchWords(text: string): string[] {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => Array.from(word).slice(0, 50).join(''));
  return [...new Set(words)].slice(0, 300);
}

const filled = (message: string, limit: number) =>
  z
    .string()
    .refine((text) => text.trim() !== '', { message })
    .max(limit, { message: `At most ${limit} characters.` });

const name = filled('Required', dappLimits.name);
const description = filled('Write something about this App.', dappLimits.description);
const gitUrl = z.string().refine((text) => isGitUrl(text.trim()), { message: 'Invalid URL!' });
const version = z
  .string()
  .refine((text) => text.trim() !== '', { message: 'Required' })
  .refine((text) => text === '' || isVersion(text), {
    message: 'Numbers with a dot between them, such as 1.0.0.',
  });
const notes = z.string().max(dappLimits.notes, { message: `At most ${dappLimits.notes} characters.` });

/** The fields of the submit dialog that are texts; files have their own rules. */
export const dappForm = z.object({ name, git_url: gitUrl, description, version, notes });

/** The same for an update, which leaves the git address as it is. */
export const dappUpdateForm = dappForm.extend({ git_url: z.string() });

export const dapp = z.object({
  id: z.string(),
  /** Identifier of a document. */
  icon: z.string().nullable(),
  /** Address of the picture of it that its publisher has chosen; null when there is none. */
  picture: z.string().nullable(),
  /** Identifier of the module that the picture shows, which is one of its versions; null when there is none. */
  picture_of: z.string().nullable(),
  name: z.string(),
  app_name: z.string(),
  git_url: z.string().nullable(),
  description: z.string(),
  /** Identifier of the module of the newest version. */
  wasm: z.string(),
  version: z.string(),
  created_at: z.string(),
  user: z.object({ username: z.string() }),
  kind: z.string().nullable(),
  /** How many canisters a version of it was installed in. */
  installs: z.number(),
  /** The average of what users have rated it, 1 to 5; 0 where nobody has. */
  rating: z.number(),
  /** How many users have rated it. */
  ratings: z.number(),
});
/** A dapp as our service answers it, and as the console reads it from any. */
export type DappAnswer = z.infer<typeof dapp>;
export type Dapp = ReadObject<DappAnswer>;

/** A module that a dapp has or had. */
export const dappVersion = z.object({
  id: z.string(),
  version: z.string(),
  /** What is new in it; '' where nothing is said. */
  notes: z.string(),
  /** Its document, which is also its hash on the network. */
  identifier: z.string(),
  created_at: z.string(),
  /** Bytes of the module; null where they were not counted. */
  size: z.number().nullable(),
});
export type DappVersion = z.infer<typeof dappVersion>;

/** What a version of a dapp can be called with. */
export const dappInterface = z.object({
  /** Its Candid service; null where the module does not say it. */
  candid: z.string().nullable(),
  /** A Candid service whose arguments are those of an installation; null where they are not known. */
  init_args: z.string().nullable(),
});
export type DappInterface = z.infer<typeof dappInterface>;

/** A canister of the user that a version of a dapp was put into, and that still has that code. */
export const dappInstance = z.object({
  canister_id: z.string(),
  canister_name: z.string(),
  dapp_id: z.string(),
  dapp_name: z.string(),
  /** Username of who has published it, which is unique. */
  publisher: z.string(),
  /** Hash of what it runs, hex. */
  module_hash: z.string(),
  /** Whether it is known to answer HTTP; absent where a service does not tell. */
  serves_http: z.boolean().optional(),
  /** Address of a picture of what it serves; absent where a service has none. */
  picture: z.string().nullable().optional(),
  /** What it runs. */
  version: z.string(),
  /** Whether the uploader has taken the dapp out of the marketplace. */
  withdrawn: z.boolean(),
  /** The newest version, unless the canister runs it or the dapp is withdrawn. */
  update: z.object({ version: z.string(), identifier: z.string(), notes: z.string() }).nullable(),
  /** What an earlier upgrade from here can go back to. */
  way_back: z.object({ version: z.string(), snapshot_id: z.string(), taken_at: z.string() }).nullable(),
});
export type DappInstance = z.infer<typeof dappInstance>;

/** What the user has to do with the ratings of a dapp. */
export const ownRating = z.object({
  /** What the user has rated it; null for nothing. */
  stars: z.number().nullable(),
  /** Whether the user may rate it: has a canister with it, and has not published it. */
  may_rate: z.boolean(),
});
export type OwnRating = z.infer<typeof ownRating>;

/** A dapp that comes with the product. */
export const sampleDapp = z.object({ name: z.string(), description: z.string() });
export type SampleDapp = z.infer<typeof sampleDapp>;

const idParams = z.object({ id: z.string().min(1) });
const identifier = z.string().min(1).max(128);
const message = z.object({ message: z.string() });

const extras = {
  kind: z.enum(dappKinds).nullish(),
  /** What is new in the version. */
  notes: notes.optional(),
  /**
   * A canister of the user that runs the module of the newest version and has a picture of it, which is copied; '' takes the picture
   * away, and without a word it stays.
   */
  picture: z.string().max(63).nullish(),
};

export const marketplaceEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/marketplace/',
    summary: 'Dapps of all users, newest first; with `limit` as many of them, from `offset` on',
    signedIn: true,
    query: z.object({
      /** Words that name, description or uploader have; each may be the beginning of one. */
      search: z.string().max(200).optional(),
      sort: z.enum(dappSorts).optional(),
      kind: z.enum(dappKinds).optional(),
      /** Username of the uploader. */
      uploader: z.string().max(200).optional(),
      offset: z.coerce.number().int().min(0).max(1_000_000).optional(),
      limit: z.coerce.number().int().min(1).max(MAX_DAPP_PAGE).optional(),
    }),
    response: z.array(dapp),
    reading: rowsOf(dapp),
  }),
  one: endpoint({
    method: 'GET',
    path: '/marketplace/{id}',
    summary: 'One dapp of the marketplace',
    signedIn: true,
    params: idParams,
    response: dapp,
    reading: entityOf(dapp),
  }),
  versions: endpoint({
    method: 'GET',
    path: '/marketplace/versions/{id}',
    summary: 'The versions of a dapp, newest first',
    signedIn: true,
    params: idParams,
    response: z.array(dappVersion),
  }),
  interface: endpoint({
    method: 'GET',
    path: '/marketplace/interface/{id}',
    summary: 'The Candid texts of a version of a dapp',
    signedIn: true,
    params: idParams,
    response: dappInterface,
  }),
  rating: endpoint({
    method: 'GET',
    path: '/marketplace/rating/{id}',
    summary: 'What the user has rated a dapp, and whether the user may',
    signedIn: true,
    params: idParams,
    response: ownRating,
  }),
  rate: endpoint({
    method: 'POST',
    path: '/marketplace/rating/{id}',
    summary:
      'Rates a dapp of somebody else that the user has a canister with, or withdraws the rating. Each user has one rating of a dapp, which another one replaces',
    signedIn: true,
    params: idParams,
    body: z.object({
      /** Null withdraws the rating, which is always possible. */
      stars: z.number().int().min(1).max(MOST_STARS).nullable(),
    }),
    response: message,
  }),
  instances: endpoint({
    method: 'GET',
    path: '/marketplace/instances',
    summary: 'The canisters of the user that a version of a dapp was put into, and that still have its code',
    signedIn: true,
    response: z.array(dappInstance),
  }),
  upgrade: endpoint({
    method: 'POST',
    path: '/marketplace/upgrade',
    summary: 'Upgrades a canister to the newest version of the dapp it runs, after a snapshot to go back to',
    signedIn: true,
    body: z.object({
      canister_id: z.string().min(1),
      identifier,
      /** Candid-encoded arguments in hex, for a module that takes some; none when absent. */
      argument_hex: z
        .string()
        .regex(/^([0-9a-fA-F]{2})*$/)
        .optional(),
    }),
    idempotent: true,
    response: message,
  }),
  goBack: endpoint({
    method: 'POST',
    path: '/marketplace/back',
    summary:
      'Puts a canister back to the snapshot that its last upgrade has taken: code and data as they were',
    signedIn: true,
    body: z.object({ canister_id: z.string().min(1) }),
    idempotent: true,
    response: message,
  }),
  samples: endpoint({
    method: 'GET',
    path: '/marketplace/samples',
    summary: 'The dapps that come with the product and can be put into the marketplace',
    signedIn: true,
    response: z.array(sampleDapp),
  }),
  offerSample: endpoint({
    method: 'POST',
    path: '/marketplace/samples',
    summary:
      'Compiles a sample dapp and puts it, with all its versions, into the marketplace as one of the user; the one that is there already is answered, whoever has put it there',
    signedIn: true,
    body: z.object({ sample: z.string().min(1).max(100) }),
    response: z.object({ data: z.string() }),
  }),
  submit: endpoint({
    method: 'POST',
    path: '/marketplace/submit',
    summary: 'Puts a dapp into the marketplace: a module the user has uploaded, and what is said about it',
    signedIn: true,
    body: z.object({
      /** Absent, null or '' for none. */
      icon: identifier.or(z.literal('')).nullish(),
      name,
      git_url: gitUrl,
      description,
      wasm: identifier,
      version,
      ...extras,
    }),
    idempotent: true,
    response: z.object({ data: z.string() }),
    reading: idOf('id'),
  }),
  update: endpoint({
    method: 'POST',
    path: '/marketplace/update/{id}',
    summary: 'Changes a dapp of the user; another module is its next version',
    signedIn: true,
    params: idParams,
    body: z.object({
      /** '' takes the icon away. */
      icon: identifier.or(z.literal('')).nullish(),
      name: name.optional(),
      wasm: identifier.optional(),
      description: description.optional(),
      version: version.optional(),
      ...extras,
    }),
    idempotent: true,
    response: z.object({ message: z.string(), data: dapp }),
    reading: outcome,
  }),
  delete: endpoint({
    method: 'POST',
    path: '/marketplace/delete/{id}',
    summary: 'Takes a dapp of the user out of the marketplace; canisters that have it keep it',
    signedIn: true,
    params: idParams,
    idempotent: true,
    response: message,
    reading: outcome,
  }),
};
