import { type ReactNode, useEffect } from 'react';

interface SidebarDrawerProps {
  readonly id: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The sidebar over the page on small screens. It lies below the top bar, so that the toggle there closes it as well. */
export function SidebarDrawer({ id, open, onClose, children }: SidebarDrawerProps) {
  useEffect(() => {
    if (!open) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) onClose();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [open, onClose]);

  if (!open) return null;
  return (
    <>
      <div
        data-testid="drawer-scrim"
        onClick={onClose}
        className="fixed inset-x-0 top-14 bottom-0 z-10 touch-none bg-scrim transition-opacity duration-200 starting:opacity-0"
      />
      <aside
        id={id}
        data-testid="sidebar"
        className="fixed top-14 bottom-0 left-0 z-10 w-60 max-w-[100vw] border-r border-line bg-raised shadow-float transition-transform duration-200 ease-out starting:-translate-x-full"
      >
        {children}
      </aside>
    </>
  );
}
