import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { IconButton } from './icon-button.tsx';

interface SidePanelProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly children: ReactNode;
}

/** A drawer that slides over the page from its right side. */
export function SidePanel({ open, onOpenChange, title, children }: SidePanelProps) {
  return (
    <BaseDialog.Root open={open} onOpenChange={onOpenChange}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-30 bg-scrim transition-opacity duration-200 data-starting-style:opacity-0 data-ending-style:opacity-0" />
        <BaseDialog.Popup
          className={classNames(
            'fixed inset-y-0 right-0 z-30 flex w-104 max-w-[100vw] flex-col border-l border-line bg-raised shadow-float outline-none',
            'transition-transform duration-200 ease-out data-starting-style:translate-x-full data-ending-style:translate-x-full',
          )}
        >
          <div className="flex h-14 shrink-0 items-center gap-2 border-b border-line px-5">
            <BaseDialog.Title title={title} className="min-w-0 flex-1 truncate text-lg font-semibold">
              {title}
            </BaseDialog.Title>
            <BaseDialog.Close render={<IconButton label="Close" size="small" className="-mr-1.5" />}>
              <X className="size-4" />
            </BaseDialog.Close>
          </div>
          {children}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
