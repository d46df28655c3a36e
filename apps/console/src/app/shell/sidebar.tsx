import { AccountDetails } from '../../features/account/account-details.tsx';
import { VERSION } from '../../config/env.ts';
import { menuItems } from './menu-items.ts';
import { SidebarItem } from './sidebar-item.tsx';

interface SidebarProps {
  readonly narrow: boolean;
  readonly onFollow: () => void;
}

/** The menu, the account block and the version. */
export function Sidebar({ narrow, onFollow }: SidebarProps) {
  return (
    <div className="flex h-full flex-col gap-3 overflow-x-hidden overflow-y-auto px-3 pt-4 pb-3">
      <nav aria-label="Main">
        <ul className="flex flex-col gap-0.5">
          {menuItems.map((item) => (
            <li key={item.label}>
              <SidebarItem key={String(narrow)} item={item} narrow={narrow} onFollow={onFollow} />
            </li>
          ))}
        </ul>
      </nav>
      <div className="mt-auto pt-3">
        <AccountDetails narrow={narrow} />
        <p
          className={
            narrow ? 'mt-1 text-center text-[11px] leading-3.5 text-muted' : 'mt-3 px-1 text-xs text-muted'
          }
        >
          version {VERSION}
        </p>
      </div>
    </div>
  );
}
