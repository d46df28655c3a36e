import type { ReactNode } from 'react';

/** What a list would hold, or that a search finds none of it. */
export type EmptyOf =
  | 'canisters'
  | 'deploys'
  | 'registries'
  | 'marketplace'
  | 'records'
  | 'repositories'
  | 'search';

/** Line drawings in the colours of the theme, 96 by 72: made for this product, and nothing else than lines, paper and one accent. */
const drawings: Readonly<Record<EmptyOf, ReactNode>> = {
  // An open can.
  canisters: (
    <>
      <path d="M30 18v36c0 4.4 8 8 18 8s18-3.6 18-8V18" className="fill-sunken" />
      <ellipse cx="48" cy="18" rx="18" ry="7" className="fill-surface" />
      <path d="M30 31c0 4.4 8 8 18 8s18-3.6 18-8M30 44c0 4.4 8 8 18 8s18-3.6 18-8" strokeDasharray="3 4" />
      <path d="M6 62h15M75 62h15M14 68h68" strokeLinecap="round" />
      <path d="M60 13c6-6 14-8 20-5" className="stroke-accent" strokeLinecap="round" />
      <circle cx="82" cy="9.5" r="2.5" className="stroke-accent" />
    </>
  ),
  // A belt that waits for its first can.
  deploys: (
    <>
      <rect x="8" y="48" width="80" height="16" rx="8" className="fill-sunken" />
      <circle cx="16" cy="56" r="4" className="fill-surface" />
      <circle cx="37" cy="56" r="4" className="fill-surface" />
      <circle cx="59" cy="56" r="4" className="fill-surface" />
      <circle cx="80" cy="56" r="4" className="fill-surface" />
      <path d="M54 25v19c0 2.2 4.5 4 10 4s10-1.8 10-4V25" strokeDasharray="3 4" />
      <ellipse cx="64" cy="25" rx="10" ry="4" strokeDasharray="3 4" />
      <path
        d="M12 34h26M31 27l7 7-7 7"
        className="stroke-accent"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <path d="M64 6v8M60.5 10.5 64 14l3.5-3.5" strokeLinecap="round" strokeLinejoin="round" />
    </>
  ),
  // Shelves with one labelled can and room for more.
  registries: (
    <>
      <path d="M14 8v58M82 8v58" strokeLinecap="round" />
      <path d="M14 33h68v4H14zM14 60h68v4H14z" className="fill-sunken" />
      <path d="M23 15v14c0 1.8 4 3.2 9 3.200s9-1.4 9-3.200V15" className="fill-surface" />
      <ellipse cx="32" cy="15" rx="9" ry="3.4" className="fill-surface" />
      <path d="M23 21c0 1.8 4 3.2 9 3.200s9-1.4 9-3.2" className="stroke-accent" />
      <path d="M23 26c0 1.8 4 3.2 9 3.200s9-1.4 9-3.2" className="stroke-accent" />
      <path d="M50 18v11c0 1.7 3.6 3 8 3s8-1.3 8-3V18" strokeDasharray="3 3.5" />
      <ellipse cx="58" cy="18" rx="8" ry="3" strokeDasharray="3 3.5" />
      <path d="M28 46v10c0 1.7 3.6 3 8 3s8-1.3 8-3V46" strokeDasharray="3 3.5" />
      <ellipse cx="36" cy="46" rx="8" ry="3" strokeDasharray="3 3.5" />
    </>
  ),
  // A stall with nothing on its counter.
  marketplace: (
    <>
      <path d="M18 26v38M78 26v38" strokeLinecap="round" />
      <path d="M18 8h60l8 16H10z" className="fill-sunken" />
      <path
        d="M10 24c0 4 3 6 7.6 6s7.6-2 7.6-6c0 4 3 6 7.6 6s7.6-2 7.6-6c0 4 3 6 7.6 6s7.6-2 7.6-6c0 4 3 6 7.6 6s7.6-2 7.6-6c0 4 3 6 7.6 6s7.6-2 7.6-6"
        className="fill-surface stroke-accent"
        strokeLinejoin="round"
      />
      <path d="M33 8l-8 16M48 8v16M63 8l8 16" />
      <path d="M12 48h72v5H12z" className="fill-surface" />
      <path d="M41 36v9.5c0 1.4 3.1 2.5 7 2.5s7-1.1 7-2.5V36" strokeDasharray="3 3" />
      <ellipse cx="48" cy="36" rx="7" ry="2.6" strokeDasharray="3 3" />
      <path d="M6 66h84" strokeLinecap="round" strokeDasharray="12 8" />
    </>
  ),
  // A strip of paper with lines to come.
  records: (
    <>
      <path
        d="M28 10c0-3 2.4-5 5-5h38c-2.6 0-5 2-5 5v52l-6.3-4-6.4 4-6.3-4-6.3 4-6.4-4-6.3 4z"
        className="fill-surface"
        strokeLinejoin="round"
      />
      <path d="M71 5c2.6 0 5 2 5 5v6H66v-6" className="fill-sunken" strokeLinejoin="round" />
      <path d="M36 18h14M36 46h9" strokeLinecap="round" />
      <path d="M36 27h22M36 36.500h22" strokeLinecap="round" strokeDasharray="3 4" />
      <circle cx="17" cy="27" r="2.5" className="stroke-accent" />
      <path
        d="M17 10v14.500M17 29.500V60"
        className="stroke-accent"
        strokeLinecap="round"
        strokeDasharray="4 4"
      />
    </>
  ),
  // A branch that leaves a trunk and has not come back.
  repositories: (
    <>
      <rect x="26" y="6" width="44" height="58" rx="5" className="fill-surface" />
      <path d="M26 54c0-3 2.4-4.5 5-4.500h39" />
      <path d="M38 42V19" strokeLinecap="round" />
      <circle cx="38" cy="15.5" r="3.5" className="fill-sunken" />
      <path d="M38 36c0-8 16-4 16-12" className="stroke-accent" strokeLinecap="round" />
      <circle cx="54" cy="20" r="3.5" className="fill-surface stroke-accent" />
      <circle cx="38" cy="39.5" r="3.5" className="fill-sunken" />
      <path d="M36 64v5l4-2.5 4 2.500v-5" className="fill-sunken" strokeLinejoin="round" />
      <path d="M10 64h10M76 64h10" strokeLinecap="round" />
    </>
  ),
  // A glass over rows of which none is meant.
  search: (
    <>
      <path d="M12 16h40M12 29h22M12 42h20M12 55h34" strokeLinecap="round" strokeDasharray="6 5" />
      <circle cx="58" cy="34" r="17" className="fill-surface stroke-accent" />
      <path d="m70.5 46.5 13 13" className="stroke-accent" strokeLinecap="round" />
      <path d="M51 27l14 14M65 27 51 41" strokeLinecap="round" />
    </>
  ),
};

/** The drawing above the sentence of an empty list. */
export function EmptyDrawing({ of }: { of: EmptyOf }) {
  return (
    <svg
      viewBox="0 0 96 72"
      fill="none"
      data-drawing={of}
      className="mb-5 h-18 stroke-muted/70"
      strokeWidth="1.5"
      aria-hidden="true"
    >
      {drawings[of]}
    </svg>
  );
}
