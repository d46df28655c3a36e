import { Globe } from 'lucide-react';
import { useState } from 'react';

interface SitePictureProps {
  /** Address of a picture of the website; null while there is none. */
  readonly picture: string | null;
  /** Address of the website. */
  readonly url: string;
}

/** A small picture of a website that leads to it, as large as it is while there is none. */
export function SitePicture({ picture, url }: SitePictureProps) {
  const [broken, setBroken] = useState<string>();
  const isShown = picture !== null && picture !== broken;
  return (
    // The address beside it leads to the same place.
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      tabIndex={-1}
      aria-hidden="true"
      data-testid="site"
      className="grid aspect-8/5 w-24 shrink-0 self-start place-items-center overflow-hidden rounded-md border border-line bg-sunken sm:w-40"
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
        <Globe className="size-6 text-muted" />
      )}
    </a>
  );
}
