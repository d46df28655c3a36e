import { Menu as MenuIcon } from 'lucide-react';
import { useState } from 'react';
import { CanneryMark } from '../../../components/ui/cannery-mark.tsx';
import { IconButton } from '../../../components/ui/icon-button.tsx';
import { PRODUCT_NAME } from '../../../config/env.ts';

/** The toggle of the sidebar, the mark and the name; further controls stand at the other end. */
export function HeaderBar() {
  const [open, setOpen] = useState(true);
  return (
    <div className="bar flex h-14 items-center gap-2 border-b border-line bg-surface px-4 text-ink">
      <IconButton
        label={open ? 'Close the sample sidebar' : 'Open the sample sidebar'}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <MenuIcon className="size-5" strokeWidth={1.75} />
      </IconButton>
      <span className="flex items-center gap-2 text-lg font-semibold tracking-tight">
        <CanneryMark className="size-7" />
        {PRODUCT_NAME}
      </span>
      <span className="ml-auto text-sm text-muted">{open ? 'Sidebar open' : 'Sidebar closed'}</span>
    </div>
  );
}
