import { Link } from '@tanstack/react-router';
import { ChevronDown, CircleUserRound, Eye, LifeBuoy, LogOut, SunMoon, Waypoints } from 'lucide-react';
import type { User } from '@cannery/contract';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../../components/ui/menu.tsx';
import { paths } from '../../config/paths.ts';
import { Avatar, displayName } from '../../features/user/avatar.tsx';
import { session } from '../../lib/session/current-session.ts';
import { usePublicConfig } from '../../lib/shared/public-config.ts';
import { type ThemeChoice, themeChoices, themeStore, useThemeChoice } from '../../lib/browser/theme.ts';
import { themeNames, themeNotes } from './theme-names.ts';

/** How a theme looks; half light and half dark for the one that follows the operating system. */
function ThemeMark({ choice }: { choice: ThemeChoice }) {
  if (choice === 'system') return <SunMoon className="size-4 text-muted" aria-hidden="true" />;
  return (
    <span
      data-theme={choice}
      className="grid size-4 place-items-center rounded-full border border-line bg-page"
    >
      <span className="size-2 rounded-full bg-accent" />
    </span>
  );
}

const themeOptions = themeChoices.map((choice) => ({
  value: choice,
  label: themeNames[choice],
  note: themeNotes[choice],
  mark: <ThemeMark choice={choice} />,
}));

/** Avatar and greeting, and the menu behind them. */
export function ProfileMenu({ user }: { user: User }) {
  const config = usePublicConfig();
  const theme = useThemeChoice();
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="flex h-10 max-sm:h-11 items-center gap-2.5 max-sm:gap-2 rounded-control pr-1.5 pl-1.5 hover:bg-ink/5"
        >
          <Avatar user={user} className="size-7 text-xs" />
          <span className="max-w-48 truncate max-sm:max-w-16">
            <span className="text-muted">Hi,</span> <span className="font-medium">{displayName(user)}</span>
          </span>
          <span className="sr-only">profile menu</span>
          <ChevronDown className="size-4 text-muted max-sm:hidden" aria-hidden="true" />
        </button>
      }
    >
      <MenuItem icon={<Eye />} className="md:hidden" link={<Link to={paths.preview} />}>
        Live Preview
      </MenuItem>
      <MenuItem icon={<CircleUserRound />} link={<Link to={paths.account} />}>
        Account
      </MenuItem>
      {config?.embedded_network && (
        <MenuItem icon={<Waypoints />} link={<Link to={paths.network} />}>
          Network
        </MenuItem>
      )}
      {config && (
        <MenuItem icon={<LifeBuoy />} link={<a href={config.support_url} target="_blank" rel="noreferrer" />}>
          Support
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuChoice label="Theme" value={theme} options={themeOptions} onChange={themeStore.choose} />
      <MenuSeparator />
      <MenuItem icon={<LogOut />} onSelect={() => void session.signOut()}>
        Sign Out
      </MenuItem>
    </Menu>
  );
}
