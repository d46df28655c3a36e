import type { Dapp } from '@cannery/contract';
import { Package } from 'lucide-react';
import { useState } from 'react';
import { classNames } from '../../../lib/class-names.ts';
import { dappName } from '../api/dapp-state.ts';

/** Whether the picture of a dapp is of a version before the newest. */
export function isOfEarlier({ picture_of: of, wasm }: Pick<Dapp, 'picture_of' | 'wasm'>): boolean {
  return of !== null && of !== wasm;
}

interface DappCoverProps {
  readonly dapp: Dapp;
  readonly className?: string;
}

/** The picture that the publisher of a dapp has chosen, in a place of one form whether there is one or not. */
export function DappCover({ dapp, className }: DappCoverProps) {
  const [broken, setBroken] = useState<string>();
  const { picture } = dapp;
  return (
    <span
      className={classNames(
        'grid aspect-8/5 place-items-center overflow-hidden border-line bg-sunken',
        className,
      )}
    >
      {picture !== null && picture !== broken ? (
        <img
          src={picture}
          alt={
            isOfEarlier(dapp)
              ? `An earlier version of ${dappName(dapp)}`
              : `What ${dappName(dapp)} looks like`
          }
          loading="lazy"
          width={640}
          height={400}
          className="size-full object-cover object-top"
          onError={() => setBroken(picture)}
        />
      ) : (
        <Package className="size-10 text-muted/50" strokeWidth={1.25} aria-hidden="true" />
      )}
    </span>
  );
}
