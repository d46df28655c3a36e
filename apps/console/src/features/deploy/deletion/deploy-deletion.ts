import type { Canister, CanisterFate, Deploy } from '@cannery/contract';
import { readCycles } from '../../../lib/text/cycles.ts';

/** A canister that a deletion concerns. */
export interface DeletedCanister {
  readonly id: string;
  readonly name: string | null;
  /** What it holds; undefined when that is not known. */
  readonly cycles: bigint | undefined;
}

/** The canisters of a deploy with what the account's list of canisters says of them. */
export function deletedCanisters(deploy: Deploy, listed: readonly Canister[] | undefined): DeletedCanister[] {
  return deploy.canisters.map((id) => {
    const canister = listed?.find((one) => one.id === id);
    const part = deploy.parts.find((one) => one.canister_id === id);
    return {
      id,
      name: canister?.name ?? part?.name ?? null,
      cycles: readCycles(canister?.cycles_exact ?? canister?.cycles),
    };
  });
}

/** What canisters hold together; undefined when that of one is not known. */
export function cyclesTogether(canisters: readonly DeletedCanister[]): bigint | undefined {
  return canisters.reduce<bigint | undefined>(
    (sum, { cycles }) => (sum === undefined || cycles === undefined ? undefined : sum + cycles),
    0n,
  );
}

const oneLine = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');

/** What has to be typed before canisters are deleted, as a page shows it. */
export function nameToType(deploy: Pick<Deploy, 'id' | 'name'>): string {
  return oneLine(deploy.name ?? '') || deploy.id;
}

/** What is chosen in the dialog; no way is chosen at first, so that Enter alone deletes nothing. */
export interface DeletionChoice {
  readonly fate: CanisterFate | undefined;
  readonly typed: string;
}

/** How a deploy is to be deleted; undefined while the dialog does not say so. */
export function chosenFate(
  deploy: Pick<Deploy, 'id' | 'name' | 'canisters'>,
  { fate, typed }: DeletionChoice,
): CanisterFate | undefined {
  if (deploy.canisters.length === 0) return 'keep';
  if (fate === 'delete' && oneLine(typed) !== nameToType(deploy)) return undefined;
  return fate;
}
