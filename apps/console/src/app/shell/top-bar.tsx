import { Link } from '@tanstack/react-router';
import { Menu as MenuIcon } from 'lucide-react';
import type { User } from '@cannery/contract';
import { buttonClass } from '../../components/ui/button.tsx';
import { CanneryMark } from '../../components/ui/cannery-mark.tsx';
import { IconButton } from '../../components/ui/icon-button.tsx';
import { PRODUCT_NAME } from '../../config/env.ts';
import { paths } from '../../config/paths.ts';
import { PaletteHost } from './palette/palette-host.tsx';
import { ProfileMenu } from './profile-menu.tsx';

interface TopBarProps {
  readonly user: User;
  readonly sidebarId: string;
  readonly sidebarOpen: boolean;
  readonly onToggle: () => void;
}

export function TopBar({ user, sidebarId, sidebarOpen, onToggle }: TopBarProps) {
  return (
    <header className="bar sticky top-0 z-20 flex h-14 items-center gap-2 border-b border-line bg-surface text-ink pr-3 pl-4 md:pl-6">
      <IconButton
        label={sidebarOpen ? 'Close sidebar' : 'Open sidebar'}
        aria-expanded={sidebarOpen}
        aria-controls={sidebarId}
        className="-ml-1.5"
        onClick={onToggle}
      >
        <MenuIcon className="size-5" strokeWidth={1.75} />
      </IconButton>
      <Link
        to={paths.dashboard}
        className="flex items-center gap-2 rounded-control px-1 text-lg font-semibold tracking-tight"
      >
        <CanneryMark className="size-7" />
        {PRODUCT_NAME}
      </Link>
      <div className="ml-auto flex min-w-0 items-center gap-2 max-sm:gap-0">
        <Link to={paths.preview} className={buttonClass({ size: 'small', className: 'max-md:hidden' })}>
          Live Preview
        </Link>
        <PaletteHost userId={user.id} />
        <ProfileMenu user={user} />
      </div>
    </header>
  );
}
