import { MAX_CANISTER_TAGS, tagText } from '@cannery/contract';
import type { AppContext } from '../../../context.ts';
import { AppError, notFound } from '../../../errors.ts';
import type { Actor } from '../../../http/actor.ts';
import { recordChange } from '../core/changes.ts';
import { type CanisterRow, checkedName, lockedCanister, saveLabels } from '../core/store.ts';

/**
 * Gives a canister another name. It is the console's: the network is not asked, and an action that runs on the canister does not
 * matter. The name that it has already leaves no entry in its history.
 * @throws AppError not_found, or invalid_input for a name that is too long to be kept
 */
export async function renameCanister(
  ctx: AppContext,
  user: Actor,
  input: { canisterId: string; name: string },
): Promise<CanisterRow> {
  const name = checkedName(input.name);
  return ctx.transact(async (tx) => {
    const row = await lockedCanister(tx, { id: input.canisterId, userId: user.id });
    if (row === undefined) throw notFound('Canister');
    if (row.name === name) return row;
    await recordChange(tx, row.id, {
      kind: 'renamed',
      actor: user.username,
      detail: `From “${cut(row.name)}” to “${cut(name)}”.`,
    });
    return saveLabels(tx, row.id, { name });
  });
}

/** Characters of a name in the history: a thousand entries are one answer. */
const NAME_IN_HISTORY = 100;

function cut(name: string): string {
  return name.length > NAME_IN_HISTORY ? `${name.slice(0, NAME_IN_HISTORY).toWellFormed()}…` : name;
}

/**
 * Adds and removes tags of a canister; of a tag that is in both, it is added. What is not named stays, so that two windows that tag the
 * same canister do not undo each other.
 * @throws AppError not_found, or invalid_input for more tags than a canister may have
 */
export async function tagCanister(
  ctx: AppContext,
  user: Actor,
  input: { canisterId: string; add: readonly string[]; remove: readonly string[] },
): Promise<CanisterRow> {
  return ctx.transact(async (tx) => {
    const row = await lockedCanister(tx, { id: input.canisterId, userId: user.id });
    if (row === undefined) throw notFound('Canister');
    const before = new Set(row.tags);
    const tags = before.difference(new Set(input.remove.map(tagText))).union(new Set(input.add.map(tagText)));
    if (tags.size > MAX_CANISTER_TAGS && tags.size > before.size) {
      throw new AppError('invalid_input', `A canister has at most ${MAX_CANISTER_TAGS} tags.`);
    }
    const added = [...tags.difference(before)];
    const removed = [...before.difference(tags)];
    if (added.length === 0 && removed.length === 0) return row;
    await recordChange(tx, row.id, {
      kind: 'tagged',
      actor: user.username,
      detail: tagsChanged(added, removed),
    });
    return saveLabels(tx, row.id, { tags: [...tags].toSorted() });
  });
}

function tagsChanged(added: readonly string[], removed: readonly string[]): string {
  return [
    ...(added.length > 0 ? [`Added: ${added.join(', ')}.`] : []),
    ...(removed.length > 0 ? [`Removed: ${removed.join(', ')}.`] : []),
  ].join(' ');
}
