import { Link } from '@tanstack/react-router';
import { BookOpen, Braces, CircleQuestionMark, Keyboard, LifeBuoy } from 'lucide-react';
import { IconButton } from '../../components/ui/icon-button.tsx';
import { Menu, MenuItem } from '../../components/ui/menu.tsx';
import { API_BASE } from '../../config/env.ts';
import { paths, quickStart } from '../../config/paths.ts';
import { usePublicConfig } from '../../lib/shared/public-config.ts';

/** Where help is: the guide, the shortcuts, the description of the API, and people. */
export function HelpMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const config = usePublicConfig();
  return (
    <Menu
      trigger={
        <IconButton label="Help">
          <CircleQuestionMark className="size-4.5" strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
      }
    >
      <MenuItem icon={<BookOpen />} link={<Link to={paths.documentationPage} params={quickStart} />}>
        Guide
      </MenuItem>
      <MenuItem icon={<Keyboard />} onSelect={onShortcuts}>
        Keyboard shortcuts
      </MenuItem>
      <MenuItem
        icon={<Braces />}
        link={<a href={`${API_BASE}/openapi.json`} target="_blank" rel="noreferrer" />}
      >
        API description
      </MenuItem>
      {config && (
        <MenuItem icon={<LifeBuoy />} link={<a href={config.support_url} target="_blank" rel="noreferrer" />}>
          Support
        </MenuItem>
      )}
    </Menu>
  );
}
