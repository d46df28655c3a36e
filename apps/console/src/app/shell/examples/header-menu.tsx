import { ChevronDown, LifeBuoy } from 'lucide-react';
import { buttonClass } from '../../../components/ui/button-class.ts';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../../../components/ui/menu.tsx';
import { themes, themeStore } from '../../../lib/theme.ts';
import { useTheme } from '../../../lib/use-theme.ts';
import { themeNames } from '../theme-names.ts';

/** Chooses one of the four themes, for the whole console. */
export function HeaderMenu() {
  const theme = useTheme();
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className={buttonClass()}>
          Open the menu
          <ChevronDown className="size-4 text-muted" aria-hidden="true" />
        </button>
      }
    >
      <MenuItem icon={<LifeBuoy />}>An entry</MenuItem>
      <MenuSeparator />
      <MenuChoice
        label="Theme"
        value={theme}
        options={themes.map((value) => ({ value, label: themeNames[value] }))}
        onChange={themeStore.write}
      />
    </Menu>
  );
}
