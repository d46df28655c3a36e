import { Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { useCopy } from '../../../components/ui/copy-button.tsx';
import { Menu, MenuItem } from '../../../components/ui/menu.tsx';
import type { CopiedCall } from '../../copy/copied-call.ts';
import { curlCommand, icpCommand } from '../../copy/shell-commands.ts';
import { scriptOf } from '../../copy/script.ts';

const WAYS: readonly { readonly label: string; readonly write: (call: CopiedCall) => string | undefined }[] =
  [
    { label: 'icp canister call', write: icpCommand },
    { label: 'JavaScript (@icp-sdk/core)', write: scriptOf },
    { label: 'curl, anonymous', write: curlCommand },
  ];

const SHOWN_MS = 2000;

interface CopyCallMenuProps {
  /** The call; undefined when something in its arguments is wrong, which is shown then. */
  readonly call: () => CopiedCall | undefined;
}

/** Copies a call, to be made from a shell or a program. */
export function CopyCallMenu({ call }: CopyCallMenuProps) {
  const [said, setSaid] = useState<string>();
  const { copy: put, byHand } = useCopy();

  useEffect(() => {
    if (said === undefined) return;
    const timer = setTimeout(() => setSaid(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [said]);

  const copy = async (write: (call: CopiedCall) => string | undefined): Promise<void> => {
    const copied = call();
    if (copied === undefined) return;
    const text = write(copied);
    if (text === undefined) return setSaid('A shell command cannot carry this name');
    if (await put(text)) setSaid('Copied');
  };
  return (
    <span className="flex items-center gap-1">
      <Menu
        align="start"
        trigger={
          <Button size="small" variant="ghost">
            <Copy className="size-3.5" aria-hidden="true" />
            Copy as
          </Button>
        }
      >
        {WAYS.map(({ label, write }) => (
          <MenuItem key={label} onSelect={() => void copy(write)}>
            {label}
          </MenuItem>
        ))}
      </Menu>
      <span aria-live="polite" className="text-xs text-muted">
        {said}
      </span>
      {byHand}
    </span>
  );
}
