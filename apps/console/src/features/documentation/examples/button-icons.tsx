import { RefreshCw } from 'lucide-react';
import { CopyButton } from '../../../components/ui/copy-button.tsx';
import { IconButton } from '../../../components/ui/icon-button.tsx';

/** The label is read aloud and shows when the mouse rests on the button. */
export function ButtonIcons() {
  return (
    <div className="flex items-center gap-3">
      <IconButton label="Refresh">
        <RefreshCw className="size-4" />
      </IconButton>
      <CopyButton text="rrkah-fqaaa-aaaaa-aaaaq-cai" label="Copy canister id" />
    </div>
  );
}
