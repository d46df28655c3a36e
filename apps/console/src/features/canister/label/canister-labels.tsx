import type { Canister } from '@cannery/contract';
import { Pencil, Tag } from 'lucide-react';
import { Suspense, useState } from 'react';
import { DialogBoundary } from '../../../components/connection/dialog-boundary.tsx';
import { IconButton } from '../../../components/ui/icon-button.tsx';
import { lazyPage } from '../../../components/ui/lazy-page.ts';

/** Here before its button is pressed. */
const LabelDialog = lazyPage(() => import('./label-dialog.tsx'), 'LabelDialog');
const preload = (): void => void LabelDialog.preload();

/** Beside the name of a canister on its page: what changes it, and its tags. */
export function CanisterLabels({ canister }: { canister: Canister }) {
  const [asked, setAsked] = useState<'rename' | 'tags'>();
  const close = (): void => setAsked(undefined);
  return (
    <div
      className="ml-1 flex shrink-0 items-center max-sm:-my-1.5"
      onPointerEnter={preload}
      onFocus={preload}
    >
      <IconButton label="Rename" size="small" onClick={() => setAsked('rename')}>
        <Pencil className="size-3.5" />
      </IconButton>
      <IconButton label="Tags" size="small" onClick={() => setAsked('tags')}>
        <Tag className="size-3.5" />
      </IconButton>
      {asked !== undefined && (
        <DialogBoundary onClose={close}>
          <Suspense fallback={null}>
            <LabelDialog canister={canister} asks={asked} onClose={close} />
          </Suspense>
        </DialogBoundary>
      )}
    </div>
  );
}
