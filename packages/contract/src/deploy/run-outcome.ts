import { z } from 'zod';

/** A canister of the project that a run leaves out. */
const leftCanister = z.object({
  /** Its name in the project. */
  name: z.string(),
  /** What it is, such as 'Rust'. */
  type: z.string(),
  /** Name of the canister that cannot work without it, for which the run has failed; else null. */
  needed_by: z.string().nullable(),
});

/** What a run leaves out of the project. */
export const leftOut = z.object({
  /** How many canisters the project has, those that are left out included. */
  of: z.number(),
  canisters: z.array(leftCanister),
});
export type LeftOut = z.infer<typeof leftOut>;

/** A warning of the check of a website. */
export const siteWarning = z.object({
  /** What is wrong and what to do, in a sentence or two. */
  text: z.string(),
  /** Files with it, each perhaps with the fault itself. */
  files: z.array(z.string()),
  /** How many more files have it. */
  more: z.number(),
});
export type SiteWarning = z.infer<typeof siteWarning>;

/** Names that a sentence has. */
const NAMED = 10;

/** What is left out, such as '1 of 3 canisters not deployed: backend (Rust)'. */
export function leftOutText(left: {
  readonly of: number | null;
  readonly canisters: readonly { readonly name: string | null; readonly type: string | null }[];
}): string {
  const { of, canisters } = left;
  const names = canisters.slice(0, NAMED).map(({ name, type }) => `${name ?? '?'} (${type ?? '?'})`);
  const more = canisters.length > NAMED ? ` and ${canisters.length - NAMED} more` : '';
  const all = of ?? canisters.length;
  return `${canisters.length} of ${all} canister${all === 1 ? '' : 's'} not deployed: ${names.join(', ')}${more}`;
}
