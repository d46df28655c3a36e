import { type ProductPicture, productPictures } from '@cannery/contract';
import { classNames } from '../../../lib/class-names.ts';

/** Colours of a label: its paper, what is drawn on it, and a second colour such as that of leaves. */
interface Label {
  readonly paper: string;
  readonly main: string;
  readonly side: string;
  /** Circles on the label: x, y and radius, below the band at the top of the can. */
  readonly dots: readonly (readonly [number, number, number])[];
  /** Strokes over them, such as stalks and leaves. */
  readonly strokes?: string;
}

const labels: Readonly<Record<ProductPicture, Label>> = {
  peaches: {
    paper: '#ffe2c4',
    main: '#f08a4b',
    side: '#4d8b4a',
    dots: [
      [27, 47, 8.5],
      [38, 50, 7],
    ],
    strokes: 'M28 38q4-5 9-3',
  },
  tomatoes: {
    paper: '#fbe9dd',
    main: '#d6402f',
    side: '#2f7d3d',
    dots: [
      [25, 50, 6.5],
      [38, 47, 8],
    ],
    strokes: 'M35 39l3 3 3-4M23 43l2 2 3-3',
  },
  sardines: {
    paper: '#dbeaf5',
    main: '#5b86ad',
    side: '#24496b',
    dots: [
      [24, 44, 3],
      [30, 44, 4.5],
      [37, 44, 3.2],
      [25, 53, 3],
      [31, 53, 4.5],
      [38, 53, 3.2],
    ],
    strokes: 'M40 44l4-3v6zM41 53l4-3v6z',
  },
  beans: {
    paper: '#efe6d4',
    main: '#c9a876',
    side: '#7c6240',
    dots: [
      [24, 46, 4],
      [29, 48, 4],
      [37, 44, 4],
      [41, 47, 4],
      [31, 55, 4],
      [36, 56, 4],
    ],
  },
  corn: {
    paper: '#fff3bf',
    main: '#f0b429',
    side: '#4d8b4a',
    dots: [
      [32, 41, 3.4],
      [29, 46, 3.4],
      [35, 46, 3.4],
      [28, 52, 3.4],
      [34, 52, 3.4],
      [31, 57, 3],
    ],
    strokes: 'M23 56q-1-9 4-14M41 56q1-9-4-14',
  },
  olives: {
    paper: '#e9efd5',
    main: '#7a8f35',
    side: '#c0392b',
    dots: [
      [26, 46, 5.6],
      [38, 45, 5.6],
      [32, 54, 5.6],
    ],
    strokes: 'M25 46h2M37 45h2M31 54h2',
  },
  pears: {
    paper: '#f4dde4',
    main: '#9bb23d',
    side: '#7d1f3d',
    dots: [
      [32, 51, 8],
      [32, 42, 4.6],
    ],
    strokes: 'M32 38q1-4 4-5',
  },
  mushrooms: {
    paper: '#ece7e1',
    main: '#b58c6a',
    side: '#6b4a2f',
    dots: [
      [26, 45, 6],
      [39, 47, 5],
    ],
    strokes: 'M26 50v7M39 51v6',
  },
  cherries: {
    paper: '#fde4e8',
    main: '#b3173a',
    side: '#3c7a3f',
    dots: [
      [26, 52, 5.8],
      [38, 54, 5.8],
    ],
    strokes: 'M26 47q2-9 10-11M38 49q0-8-2-13',
  },
  soup: {
    paper: '#dff0dc',
    main: '#5c9e4f',
    side: '#2b6130',
    dots: [
      [24, 47, 4.2],
      [32, 45, 4.6],
      [40, 48, 4.2],
      [28, 54, 4],
      [36, 55, 4],
    ],
    strokes: 'M27 38q2-3 0-6M36 38q2-3 0-6',
  },
  honey: {
    paper: '#fff0cc',
    main: '#e39a12',
    side: '#8a5a06',
    dots: [[32, 49, 8]],
    strokes: 'M27 46l5-3 5 3v6l-5 3-5-3z',
  },
  pickles: {
    paper: '#e4f1de',
    main: '#4e8a3a',
    side: '#d8b02a',
    dots: [
      [24, 45, 3.4],
      [27, 50, 3.4],
      [30, 55, 3.4],
      [35, 43, 3.4],
      [38, 48, 3.4],
      [41, 53, 3.4],
    ],
  },
};

function isPicture(name: string | null): name is ProductPicture {
  return productPictures.some((picture) => picture === name);
}

interface CanPictureProps {
  /** Name of the picture; for one that nobody has drawn there is a can without a label. */
  readonly name: string | null;
  readonly className?: string;
}

/** A can with its label, drawn; decoration beside the product's title. */
export function CanPicture({ name, className }: CanPictureProps) {
  const label = isPicture(name) ? labels[name] : undefined;
  return (
    <svg
      viewBox="0 0 64 72"
      className={classNames('block rounded-control bg-sunken', className)}
      data-picture={name ?? ''}
      aria-hidden="true"
    >
      <path d="M14 15v44c0 3.9 8.1 7 18 7s18-3.1 18-7V15z" fill="#d5d9de" />
      <path d="M44 20v44c3.7-1.2 6-3 6-5V15z" fill="#b9bfc7" />
      {label && (
        <>
          <path
            d="M14 28c0 3.9 8.1 6 18 6s18-2.1 18-6v30c0 3.9-8.1 6-18 6s-18-2.1-18-6z"
            fill={label.paper}
          />
          {label.dots.map(([x, y, radius]) => (
            <circle key={`${x} ${y}`} cx={x} cy={y} r={radius} fill={label.main} />
          ))}
          {label.strokes && (
            <path
              d={label.strokes}
              fill="none"
              stroke={label.side}
              strokeWidth="1.8"
              strokeLinecap="round"
              strokeLinejoin="round"
            />
          )}
          <path d="M14 28c0 3.9 8.1 6 18 6s18-2.1 18-6v3c0 3.9-8.1 6-18 6s-18-2.1-18-6z" fill={label.side} />
        </>
      )}
      <ellipse cx="32" cy="15" rx="18" ry="6.5" fill="#eef0f3" stroke="#aab1ba" strokeWidth="1.4" />
      <ellipse cx="32" cy="15.2" rx="12" ry="3.7" fill="none" stroke="#c3c9d0" strokeWidth="1.2" />
    </svg>
  );
}
