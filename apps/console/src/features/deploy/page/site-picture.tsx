import { type Deploy, type DeployInstance, deployTimers } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { Box, Globe } from 'lucide-react';
import { useState } from 'react';
import { classNames } from '../../../lib/class-names.ts';
import { deployQuery } from '../api/queries.ts';

/** How long new pictures are waited for after a run, in milliseconds; a server that takes none never sends one. */
const PATIENCE_MS = 60_000;
/** A run that began this long ago, in milliseconds, may still get its pictures. */
const RECENT_MS = 120_000;

interface Wait {
  /** Pictures of before. */
  readonly former: ReadonlySet<string>;
  /** When it is given up, in Unix milliseconds. */
  readonly until: number;
}

function isRecent(run: DeployInstance | null): boolean {
  return run?.status === 'COMPLETED' && Date.now() - Date.parse(run.created_at ?? '') < RECENT_MS;
}

function picturesOf({ parts }: Deploy): string[] {
  return parts.flatMap(({ picture }) => picture ?? []);
}

/** Whether a website of the deploy has no new picture yet; a run that failed brings none. */
function lacksPicture({ type, parts, deployInstance }: Deploy, { former, until }: Wait): boolean {
  if (deployInstance?.status !== 'COMPLETED') return false;
  const sites = parts.filter(({ kind }) => kind === 'site' || type === 'STATIC_SITE');
  return Date.now() < until && sites.some(({ picture }) => picture === null || former.has(picture));
}

/**
 * Pictures of websites are taken when a run is over already: fetches the deploy again for a while, until each has a new one. A
 * page that is opened shortly after a run waits as well.
 * @returns begins to wait, after a run
 */
export function useSitePictures(deploy: Deploy): () => void {
  const begin = (): Wait => ({ former: new Set(picturesOf(deploy)), until: Date.now() + PATIENCE_MS });
  const [wait, setWait] = useState(() => (isRecent(deploy.deployInstance) ? begin() : undefined));
  useQuery({
    ...deployQuery(deploy.id),
    refetchInterval: ({ state }) =>
      wait !== undefined && state.data !== undefined && lacksPicture(state.data, wait)
        ? deployTimers.pollInstance
        : false,
  });
  return () => setWait(begin());
}

interface SitePictureProps {
  /** Address of a picture of the website; null while there is none. */
  readonly picture: string | null;
  /** Address of the website; undefined where there is none. */
  readonly url: string | undefined;
  /** Its width. */
  readonly className?: string;
}

/** A small picture of a website that leads to it, as large as it is while there is none. */
export function SitePicture({ picture, url, className = 'w-24 self-start sm:w-40' }: SitePictureProps) {
  const [broken, setBroken] = useState<string>();
  const isShown = picture !== null && picture !== broken;
  const Placeholder = url === undefined ? Box : Globe;
  return (
    // The address beside it leads to the same place.
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      tabIndex={-1}
      aria-hidden="true"
      data-testid="site"
      className={classNames(
        'grid aspect-8/5 shrink-0 place-items-center overflow-hidden rounded-md border border-line bg-sunken',
        className,
      )}
    >
      {isShown ? (
        <img
          src={picture}
          alt=""
          data-testid="site-picture"
          className="size-full object-cover object-top"
          onError={() => setBroken(picture)}
        />
      ) : (
        <Placeholder className="size-6 text-muted" />
      )}
    </a>
  );
}
