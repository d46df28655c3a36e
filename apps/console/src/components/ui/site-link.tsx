import { Fragment } from 'react';
import { away } from '../../lib/browser/away.ts';
import { classNames } from '../../lib/class-names.ts';

interface SiteLinkProps {
  readonly url: string;
  /** Where it is the first thing of its card. */
  readonly isLarge?: boolean;
}

/** The address of a website as a link. A line ends before a dot of the host where it can, not within a port or a label. */
export function SiteLink({ url, isLarge = false }: SiteLinkProps) {
  return (
    <a
      href={url}
      {...away}
      className={classNames(
        'min-w-0 font-medium wrap-anywhere text-accent hover:underline',
        isLarge && 'text-lg @max-[560px]:text-base',
      )}
    >
      {url.split(/(?=\.)/).map((part, at) => (
        <Fragment key={`${at} ${part}`}>
          {at > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </a>
  );
}
