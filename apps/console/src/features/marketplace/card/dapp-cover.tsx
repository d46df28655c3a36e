import type { Dapp } from '@cannery/contract';
import { Package } from 'lucide-react';
import { useState } from 'react';
import { dappName } from '../api/dapp-state.ts';

/** Whether the picture of a dapp is of a version before the newest. */
export function isOfEarlier({ picture_of: of, wasm }: Pick<Dapp, 'picture_of' | 'wasm'>): boolean {
  return of !== null && of !== wasm;
}

/** The picture that the publisher of a dapp has chosen, in a place of one form whether there is one or not. */
export function DappCover({ dapp }: { dapp: Dapp }) {
  const [broken, setBroken] = useState<string>();
  const { picture } = dapp;
  const name = dappName(dapp);
  return (
    <span className="grid aspect-8/5 place-items-center overflow-hidden rounded-card border border-line bg-sunken">
      {picture !== null && picture !== broken ? (
        <img
          src={picture}
          alt={isOfEarlier(dapp) ? `An earlier version of ${name}` : `What ${name} looks like`}
          loading="lazy"
          width={640}
          height={400}
          className="size-full object-cover object-top"
          onError={() => setBroken(picture)}
        />
      ) : (
        <Package className="size-12 text-muted/70" strokeWidth={1.25} aria-hidden="true" />
      )}
    </span>
  );
}
