import { menuItems } from '../menu-items.ts';
import { SidebarItem } from '../sidebar-item.tsx';

/** Links, a group that opens, and an entry that is still to come. */
export function SidebarWide() {
  return (
    <ul className="flex w-[216px] flex-col gap-0.5">
      {menuItems.map((item) => (
        <li key={item.label}>
          <SidebarItem item={item} narrow={false} onFollow={() => undefined} />
        </li>
      ))}
    </ul>
  );
}
