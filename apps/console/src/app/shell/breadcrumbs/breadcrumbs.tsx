import { Link, useLocation } from '@tanstack/react-router';
import { ChevronsUpDown, Search } from 'lucide-react';
import { Menu, MenuItem, MenuSeparator } from '../../../components/ui/menu.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { cutMiddle } from '../../../lib/text/formats.ts';
import { type OpenThing, openThing } from '../open-thing.ts';
import { paletteDoor } from '../palette/palette-door.ts';
import { crumbKinds, useOpenName, useSiblings } from './crumb-kinds.ts';

/** Others in the menu; with more of them the palette finds the rest. */
const OFFERED = 8;

function Others({ open: { kind, id } }: { open: OpenThing }) {
  const { siblings, isError } = useSiblings(kind);
  if (siblings === undefined && isError) {
    return (
      <p role="alert" className="max-w-56 px-2.5 py-2 text-sm text-pretty text-muted">
        The {crumbKinds[kind].others} could not be loaded. To try again, close this menu and open it.
      </p>
    );
  }
  if (siblings === undefined) {
    return (
      <div role="status" aria-label="Loading" className="flex flex-col gap-4 px-2.5 py-3">
        <Skeleton className="w-40" />
        <Skeleton className="w-32" />
      </div>
    );
  }
  const others = siblings.filter((one) => one.id !== id);
  return (
    <>
      {others.slice(0, OFFERED).map((one) => (
        <MenuItem key={one.id} link={<Link to={crumbKinds[kind].path} params={{ id: one.id }} />}>
          <span className="max-w-56 flex-1 truncate">{one.name}</span>
          <span className="font-mono text-xs text-muted">{cutMiddle(one.id, 5, 3)}</span>
        </MenuItem>
      ))}
      {others.length === 0 && <p className="px-2.5 py-2 text-sm text-muted">There are no others.</p>}
      {others.length > OFFERED && (
        <>
          <MenuSeparator />
          <MenuItem icon={<Search />} onSelect={paletteDoor.tell}>
            Find another …
          </MenuItem>
        </>
      )}
    </>
  );
}

function Crumbs({ open }: { open: OpenThing }) {
  const { list, others } = crumbKinds[open.kind];
  const name = useOpenName(open) ?? cutMiddle(open.id, 5, 3);
  return (
    <nav aria-label="Breadcrumb" className="mx-auto -mb-3 max-w-[1280px] px-4 pt-3 md:px-6">
      <ol className="flex h-9 max-sm:h-11 items-center gap-1 text-sm">
        <li className="shrink-0">
          <Link
            to={list.to}
            className="-ml-1.5 flex h-8 max-sm:h-11 items-center rounded-control px-1.5 text-muted hover:bg-ink/5 hover:text-ink"
          >
            {list.label}
          </Link>
        </li>
        <li aria-hidden="true" className="text-muted">
          /
        </li>
        <li className="min-w-0">
          <Menu
            align="start"
            trigger={
              <button
                type="button"
                aria-label={`${name}, ${others}`}
                className="flex h-8 max-sm:h-11 max-w-full items-center gap-1.5 rounded-control px-1.5 font-medium hover:bg-ink/5"
              >
                <span className="truncate">{name}</span>
                <ChevronsUpDown className="size-3.5 shrink-0 text-muted" aria-hidden="true" />
              </button>
            }
          >
            <Others open={open} />
          </Menu>
        </li>
      </ol>
    </nav>
  );
}

/** Where the page of a single thing is, with the way to the others of its kind; nothing on all other pages. */
export function Breadcrumbs() {
  const open = openThing(useLocation().pathname);
  return open === undefined ? null : <Crumbs open={open} />;
}
