import type { Canister } from '@cannery/contract';
import { useQueryClient } from '@tanstack/react-query';
import { Pencil, Tag } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../../components/ui/icon-button.tsx';
import { queryKeys } from '../../../lib/shared/query-keys.ts';
import { tagsOf } from '../api/label.ts';
import { CanisterTagsDialog } from './canister-tags-dialog.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { TagChips } from './tag-chips.tsx';

/** Beside the name of a canister on its page: rename, its tags, and what changes them. */
export function CanisterLabels({ canister }: { canister: Canister }) {
  const client = useQueryClient();
  const [asked, setAsked] = useState<'rename' | 'tags'>();
  const close = (): void => setAsked(undefined);
  return (
    <div className="ml-1 flex min-w-0 shrink-0 items-center">
      <IconButton label="Rename" size="small" onClick={() => setAsked('rename')}>
        <Pencil className="size-3.5" />
      </IconButton>
      <IconButton label="Tags" size="small" onClick={() => setAsked('tags')}>
        <Tag className="size-3.5" />
      </IconButton>
      <TagChips tags={canister.tags} />
      {asked === 'rename' && <RenameDialog canister={canister} onClose={close} />}
      {asked === 'tags' && (
        <CanisterTagsDialog
          canister={canister}
          known={tagsOf(client.getQueryData<Canister[]>(queryKeys.canisters) ?? [])}
          onClose={close}
        />
      )}
    </div>
  );
}
