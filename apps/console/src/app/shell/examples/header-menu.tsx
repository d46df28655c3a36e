import { ChevronDown, LifeBuoy } from 'lucide-react';
import { buttonClass } from '../../../components/ui/button.tsx';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../../../components/ui/menu.tsx';
import { themeChoices, themeStore, useThemeChoice } from '../../../lib/browser/theme.ts';
import { themeNames, themeNotes } from '../theme-names.ts';

/** Chooses a theme, for the whole console. */
export function HeaderMenu() {
  const theme = useThemeChoice();
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
        options={themeChoices.map((value) => ({
          value,
          label: themeNames[value],
          note: themeNotes[value],
        }))}
        onChange={themeStore.choose}
      />
    </Menu>
  );
}
