import { Link } from '@tanstack/react-router';
import { BookOpen, Braces, CircleQuestionMark, Keyboard, LifeBuoy, Sparkles } from 'lucide-react';
import { IconButton } from '../../components/ui/icon-button.tsx';
import { Menu, MenuItem } from '../../components/ui/menu.tsx';
import { API_BASE } from '../../config/env.ts';
import { paths, quickStart, whatIsNew } from '../../config/paths.ts';
import { news } from '../../features/documentation/news.ts';
import { useStore } from '../../lib/browser/store.ts';
import { usePublicConfig } from '../../lib/shared/public-config.ts';

/** Something is new that nobody has read in this browser. */
function Dot({ className }: { className: string }) {
  return <span aria-hidden="true" className={`size-2 rounded-full bg-accent ${className}`} />;
}

/** Where help is: the guide, the shortcuts, the description of the API, what is new, and people. */
export function HelpMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const config = usePublicConfig();
  const isUnread = useStore(news);
  return (
    <Menu
      trigger={
        <IconButton label="Help" className="relative">
          <CircleQuestionMark className="size-4.5" strokeWidth={1.75} aria-hidden="true" />
          {isUnread && <Dot className="absolute top-1.5 right-1.5 max-sm:top-2.5 max-sm:right-2.5" />}
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
      <MenuItem icon={<Sparkles />} link={<Link to={paths.documentationPage} params={whatIsNew} />}>
        What is new
        {isUnread && (
          <>
            <Dot className="ml-auto" />
            <span className="sr-only">, not read yet</span>
          </>
        )}
      </MenuItem>
      {config && (
        <MenuItem icon={<LifeBuoy />} link={<a href={config.support_url} target="_blank" rel="noreferrer" />}>
          Support
        </MenuItem>
      )}
    </Menu>
  );
}
