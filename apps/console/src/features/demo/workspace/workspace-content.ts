/** Sample content of the template profile. Nothing of it is counted or stored anywhere. */
export const files = [
  { name: 'Label peaches.svg', kind: 'Drawing', size: '48 kB' },
  { name: 'Harvest plan.pdf', kind: 'Document', size: '1.2 MB' },
  { name: 'Prices of sugar.csv', kind: 'Table', size: '16 kB' },
  { name: 'Shelf in spring.jpg', kind: 'Photo', size: '3.4 MB' },
] as const;

export const media = [
  { kind: 'Photos', count: 128 },
  { kind: 'Videos', count: 24 },
  { kind: 'Recordings', count: 9 },
  { kind: 'Documents', count: 67 },
] as const;

export const projects = [
  { name: 'Summer fruit', note: 'Peaches, cherries, apricots', done: 72 },
  { name: 'New labels', note: 'Six of nine are drawn', done: 66 },
  { name: 'Shop in the old town', note: 'Waits for the key', done: 15 },
] as const;

export const periods = ['Today', 'This week', 'This month'] as const;
export type Period = (typeof periods)[number];

export const tasks: Readonly<Record<Period, readonly { text: string; done: boolean }[]>> = {
  Today: [
    { text: 'Sterilise forty jars', done: true },
    { text: 'Taste the sour cherries', done: false },
    { text: 'Call the printer about the labels', done: false },
  ],
  'This week': [
    { text: 'Order lids, 82 mm', done: true },
    { text: 'Bottle the lime blossom honey', done: false },
  ],
  'This month': [
    { text: 'Count the cellar', done: false },
    { text: 'Send a case to the fair in Graz', done: false },
    { text: 'Mend the small copper pot', done: true },
    { text: 'Plan the pear harvest', done: false },
  ],
};

/** Views of a day, the oldest first, and their sum as the widget shows it. */
export const views = {
  total: '3,482',
  change: '12% more than in the week before',
  days: [
    ['Mon', 412],
    ['Tue', 468],
    ['Wed', 390],
    ['Thu', 531],
    ['Fri', 604],
    ['Sat', 622],
    ['Sun', 455],
  ],
} as const;

/** Colours of events: tokens, so that they fit every theme. */
export type EventColor = 'accent' | 'ok' | 'warn' | 'bad';

export interface CalendarEvent {
  readonly title: string;
  readonly info: string;
  readonly color: EventColor;
  readonly link: string;
  /** YYYY-MM-DD. */
  readonly date: string;
}

/** The day on which the sample calendar is opened. */
export const sampleToday = '2026-05-12';

export const events: readonly CalendarEvent[] = [
  {
    title: 'Farmers market',
    info: 'Stall 14, beside the fountain. Bring change.',
    color: 'accent',
    link: 'https://en.wikipedia.org/wiki/Farmers%27_market',
    date: '2026-05-09',
  },
  {
    title: 'Strawberries arrive',
    info: 'Sixty kilos at six in the morning.',
    color: 'bad',
    link: 'https://en.wikipedia.org/wiki/Strawberry',
    date: '2026-05-12',
  },
  {
    title: 'Labels to the printer',
    info: 'Nine drawings, two colours each.',
    color: 'warn',
    link: 'https://en.wikipedia.org/wiki/Label',
    date: '2026-05-12',
  },
  {
    title: 'World Bee Day',
    info: 'The hives are open to visitors from ten to four.',
    color: 'ok',
    link: 'https://en.wikipedia.org/wiki/World_Bee_Day',
    date: '2026-05-20',
  },
  {
    title: 'Asparagus ends',
    info: 'The last jars of the season.',
    color: 'warn',
    link: 'https://en.wikipedia.org/wiki/Asparagus',
    date: '2026-05-28',
  },
];
