/** Sample content of the dashboard. Nothing of it is counted or stored anywhere. */
export const areas = ['Work', 'Private', 'Social'] as const;
export type Area = (typeof areas)[number];

export const folders: Readonly<Record<Area, readonly { name: string; files: number }[]>> = {
  Work: [
    { name: 'Recipes', files: 42 },
    { name: 'Labels', files: 18 },
    { name: 'Orders', files: 127 },
    { name: 'Suppliers', files: 9 },
    { name: 'Fairs', files: 14 },
    { name: 'Accounts', files: 36 },
  ],
  Private: [
    { name: 'Garden', files: 23 },
    { name: 'Letters', files: 8 },
    { name: 'Mountains', files: 61 },
  ],
  Social: [
    { name: 'Market days', files: 31 },
    { name: 'Choir', files: 12 },
    { name: 'Beekeepers', files: 19 },
    { name: 'Neighbours', files: 4 },
  ],
};

/** Colours are tokens, in the order of the edges of cards. */
export const statuses = [
  { name: 'New', count: 24, color: 'var(--edge-1)' },
  { name: 'In Progress', count: 38, color: 'var(--edge-4)' },
  { name: 'Completed', count: 61, color: 'var(--edge-3)' },
  { name: 'Cancel', count: 9, color: 'var(--edge-2)' },
] as const;

export const news = {
  title: 'The peach harvest is in',
  date: '4 August',
  text: 'Eleven hundred kilos from nine orchards, and not one split skin. The first cans leave the workshop on Monday; the labels, for once, were ready before the fruit.',
} as const;

export const todos = [
  { text: 'Reply to the shop in Maribor', done: false },
  { text: 'Test the new lids', done: true },
  { text: 'Photograph the cherry jars', done: false },
  { text: 'Renew the stall for autumn', done: false },
  { text: 'Thank the bees', done: true },
] as const;

/** Orders of a year by country, as the map names countries. */
export const orders = [
  { country: 'Slovenia', count: 412 },
  { country: 'Austria', count: 238 },
  { country: 'Germany', count: 197 },
  { country: 'Italy', count: 154 },
  { country: 'Japan', count: 88 },
  { country: 'Canada', count: 61 },
  { country: 'Brazil', count: 34 },
] as const;

/** Where news of the product are told; the dialog of what is under development leads there. */
export const handle = { name: '@dfinity', href: 'https://x.com/dfinity' } as const;
