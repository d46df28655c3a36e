import { cloneElement, type KeyboardEvent, type MouseEvent, Suspense, useEffect, useState } from 'react';
import { DialogBoundary } from '../connection/dialog-boundary.tsx';
import { lazyPage } from './lazy-page.ts';
import type { MenuChoiceProps, MenuItemProps, MenuProps } from './menu-parts.tsx';

const parts = () => import('./menu-parts.tsx');
const OpenedMenu = lazyPage<'OpenedMenu', MenuProps & { readonly byKeyboard: boolean }>(parts, 'OpenedMenu');
const LazyChoice = lazyPage<'MenuChoice', MenuChoiceProps<string>>(parts, 'MenuChoice');

/** What is in menus. It is drawn in open ones only, and so is always here by then. */
export const MenuItem = lazyPage<'MenuItem', MenuItemProps>(parts, 'MenuItem');
export const MenuSeparator = lazyPage<'MenuSeparator', object>(parts, 'MenuSeparator');

/** A group of which one entry is chosen; the menu stays open, so that choices can be compared. */
export function MenuChoice<Value extends string>(props: MenuChoiceProps<Value>) {
  return <LazyChoice {...(props as unknown as MenuChoiceProps<string>)} />;
}

/** After so long the code of menus comes by itself, in milliseconds: the page stands by then, and a finger gives no sign before it presses. */
const QUIET_MS = 10_000;
const preload = (): void => void OpenedMenu.preload();

/**
 * A button and its menu. The code of menus is not waited for by the page: it comes when the pointer or the focus is at such a button, or
 * after a while, and is the same for all of them.
 */
export function Menu({ trigger, ...menu }: MenuProps) {
  /** What has opened it first. */
  const [used, setUsed] = useState<'pointer' | 'keyboard'>();
  useEffect(() => {
    const timer = setTimeout(preload, QUIET_MS);
    return () => clearTimeout(timer);
  }, []);
  if (used !== undefined) {
    return (
      <DialogBoundary onClose={() => setUsed(undefined)}>
        <Suspense fallback={trigger}>
          <OpenedMenu trigger={trigger} byKeyboard={used === 'keyboard'} {...menu} />
        </Suspense>
      </DialogBoundary>
    );
  }
  const open = (by: 'pointer' | 'keyboard'): void => void OpenedMenu.preload().then(() => setUsed(by));
  return cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: preload,
    onFocus: preload,
    // A click that no pointer has made has no count.
    onClick: ({ detail }: MouseEvent) => open(detail === 0 ? 'keyboard' : 'pointer'),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      open('keyboard');
    },
  });
}
