import { Link, useLocation } from '@tanstack/react-router';
import { useId, useState, type ReactNode } from 'react';
import { ExpandMark } from '../../components/ui/expand-mark.tsx';
import { classNames } from '../../lib/class-names.ts';
import { isCurrent, type menuItems } from './menu-items.ts';

type Item = (typeof menuItems)[number];

function itemClass(narrow: boolean, state: 'open' | 'closed' | 'disabled'): string {
  return classNames(
    'flex w-full items-center rounded-control outline-offset-[-2px] transition-colors duration-100',
    narrow
      ? 'flex-col justify-center gap-1 px-1 py-2 text-center text-[11px] leading-3.5'
      : 'h-9 gap-3 px-3 text-left max-md:h-11',
    state === 'open' && 'bg-accent-soft font-medium text-accent',
    state === 'closed' && 'text-ink hover:bg-ink/5',
    state === 'disabled' && 'cursor-not-allowed text-muted',
  );
}

function Content({ item, narrow, children }: { item: Item; narrow: boolean; children?: ReactNode }) {
  return (
    <>
      <item.Icon
        className={classNames('shrink-0', narrow ? 'size-5' : 'size-4.5')}
        strokeWidth={1.75}
        aria-hidden="true"
      />
      <span className={narrow ? undefined : 'flex-1'}>{item.label}</span>
      {children}
    </>
  );
}

interface SidebarItemProps {
  readonly item: Item;
  readonly narrow: boolean;
  /** Called when an item that leads elsewhere is followed. */
  readonly onFollow: () => void;
}

/** One item of the sidebar: a link, a group that opens its children, or one that is still to come. */
export function SidebarItem({ item, narrow, onFollow }: SidebarItemProps) {
  const { pathname, searchStr } = useLocation();
  const childrenId = useId();
  const current = item.kind !== 'coming soon' && isCurrent(item, pathname);
  const [expanded, setExpanded] = useState(current);

  if (item.kind === 'link') {
    return (
      <Link
        to={item.to}
        activeOptions={{ exact: true }}
        onClick={onFollow}
        aria-current={current ? 'page' : undefined}
        className={itemClass(narrow, current ? 'open' : 'closed')}
      >
        <Content item={item} narrow={narrow} />
      </Link>
    );
  }
  if (item.kind === 'coming soon') {
    return (
      <span role="link" aria-disabled="true" className={itemClass(narrow, 'disabled')}>
        <Content item={item} narrow={narrow}>
          <span className="rounded-full border border-line px-1.5 py-px text-[10px] leading-3.5 font-medium whitespace-nowrap">
            Coming Soon
          </span>
        </Content>
      </span>
    );
  }
  return (
    <>
      <button
        type="button"
        aria-expanded={expanded}
        aria-controls={childrenId}
        onClick={() => setExpanded(!expanded)}
        className={itemClass(narrow, current && !expanded ? 'open' : 'closed')}
      >
        <Content item={item} narrow={narrow}>
          <ExpandMark expanded={expanded} />
        </Content>
      </button>
      <ul
        id={childrenId}
        hidden={!expanded}
        className={classNames(
          'mt-0.5 flex flex-col gap-0.5',
          !expanded && 'hidden',
          !narrow && 'ml-5 border-l border-line pl-2',
        )}
      >
        {item.children.map((child) => {
          const [childPath = '', childSearch = ''] = child.to.split('?');
          const here =
            pathname.replace(/\/$/, '') === childPath.replace(/\/$/, '') && searchStr === `?${childSearch}`;
          return (
            <li key={child.to}>
              <Link
                to={childPath}
                search={Object.fromEntries(new URLSearchParams(childSearch))}
                onClick={onFollow}
                aria-current={here ? 'page' : undefined}
                className={classNames(
                  'flex items-center rounded-control outline-offset-[-2px] transition-colors duration-100',
                  narrow
                    ? 'justify-center px-1 py-1.5 text-center text-[11px] leading-3.5'
                    : 'min-h-8 px-3 text-sm max-md:min-h-11',
                  here
                    ? 'bg-accent-soft font-medium text-accent'
                    : 'text-muted hover:bg-ink/5 hover:text-ink',
                )}
              >
                {child.label}
              </Link>
            </li>
          );
        })}
      </ul>
    </>
  );
}
