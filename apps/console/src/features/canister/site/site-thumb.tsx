import { Globe } from 'lucide-react';
import { useState } from 'react';
import { classNames } from '../../../lib/class-names.ts';

interface SiteThumbProps {
  /** Address of a picture of the website; null while there is none. */
  readonly picture: string | null;
  /** Its width, and what else it looks like. */
  readonly className: string;
}

/** A small picture of a website, as large as it is while there is none. It says nothing that is not said beside it. */
export function SiteThumb({ picture, className }: SiteThumbProps) {
  const [broken, setBroken] = useState<string>();
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'grid aspect-8/5 shrink-0 place-items-center overflow-hidden rounded-md border border-line bg-sunken',
        className,
      )}
    >
      {picture !== null && picture !== broken ? (
        <img
          src={picture}
          alt=""
          className="size-full object-cover object-top"
          onError={() => setBroken(picture)}
        />
      ) : (
        <Globe className="size-2/5 text-muted" />
      )}
    </span>
  );
}
