import { menuItems } from '../menu-items.ts';
import { SidebarItem } from '../sidebar-item.tsx';

/** The same entries where the sidebar is 85 px wide. */
export function SidebarNarrow() {
  return (
    <ul className="flex w-[61px] flex-col gap-0.5">
      {menuItems.map((item) => (
        <li key={item.label}>
          <SidebarItem item={item} narrow onFollow={() => undefined} />
        </li>
      ))}
    </ul>
  );
}
