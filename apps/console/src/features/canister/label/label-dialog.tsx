import type { Canister } from '@cannery/contract';
import { useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../../lib/shared/query-keys.ts';
import { tagsOf } from '../api/label.ts';
import { CanisterTagsDialog } from './canister-tags-dialog.tsx';
import { RenameDialog } from './rename-dialog.tsx';

interface LabelDialogProps {
  readonly canister: Canister;
  readonly asks: 'rename' | 'tags';
  readonly onClose: () => void;
}

/** Asks what a canister is to be called, or sorted by. */
export function LabelDialog({ canister, asks, onClose }: LabelDialogProps) {
  const client = useQueryClient();
  if (asks === 'rename') return <RenameDialog canister={canister} onClose={onClose} />;
  const all = client.getQueryData<Canister[]>(queryKeys.canisters) ?? [canister];
  return <CanisterTagsDialog canister={canister} known={tagsOf(all)} onClose={onClose} />;
}
