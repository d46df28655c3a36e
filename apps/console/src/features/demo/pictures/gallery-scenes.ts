/** What a drawn landscape is made of. */
export interface Scene {
  readonly title: string;
  /** Colours of sky above and below, of the light, and of the hills from the far one to the near one. */
  readonly sky: readonly [string, string];
  readonly light: string;
  readonly hills: readonly [string, string, string];
  /** Middle of the light, and its radius. */
  readonly at: readonly [number, number, number];
  readonly stands: 'trees' | 'houses' | 'boats' | 'cans';
}

export const scenes: readonly Scene[] = [
  {
    title: 'Dawn over the orchard',
    sky: ['#ffd7b0', '#fff1dc'],
    light: '#ff9d5c',
    hills: ['#c9b9a6', '#8fa07a', '#5c7a52'],
    at: [84, 44, 13],
    stands: 'trees',
  },
  {
    title: 'The village wakes',
    sky: ['#bfe0f2', '#f3f8ef'],
    light: '#ffd166',
    hills: ['#b4c9b1', '#84a98c', '#52796f'],
    at: [34, 30, 9],
    stands: 'houses',
  },
  {
    title: 'Boats before noon',
    sky: ['#8fd0ec', '#e3f5fb'],
    light: '#fff3b0',
    hills: ['#7fb7be', '#3f8ea6', '#22637d'],
    at: [98, 24, 8],
    stands: 'boats',
  },
  {
    title: 'Cans on the hill',
    sky: ['#dfe7fd', '#fdfcfb'],
    light: '#9bb4ff',
    hills: ['#cdd6f6', '#9aaae0', '#5d73c4'],
    at: [30, 34, 11],
    stands: 'cans',
  },
  {
    title: 'High summer',
    sky: ['#ffe08a', '#fff7da'],
    light: '#f9844a',
    hills: ['#f4c95d', '#c6a53a', '#7d8c2c'],
    at: [64, 26, 12],
    stands: 'trees',
  },
  {
    title: 'Market street',
    sky: ['#ffcad4', '#fff0f3'],
    light: '#f4acb7',
    hills: ['#e5b3bd', '#b97d92', '#7b4b6a'],
    at: [94, 32, 10],
    stands: 'houses',
  },
  {
    title: 'Still water',
    sky: ['#cfd8dc', '#f5f7f8'],
    light: '#ffffff',
    hills: ['#a9b8c0', '#78909c', '#455a64'],
    at: [50, 28, 10],
    stands: 'boats',
  },
  {
    title: 'A shelf outdoors',
    sky: ['#d8f3dc', '#f6fff8'],
    light: '#95d5b2',
    hills: ['#b7e4c7', '#74c69d', '#2d6a4f'],
    at: [90, 38, 12],
    stands: 'cans',
  },
  {
    title: 'Evening rows',
    sky: ['#f7a072', '#ffd9a0'],
    light: '#fff1c1',
    hills: ['#c8553d', '#8d3b36', '#4f2a35'],
    at: [60, 50, 14],
    stands: 'trees',
  },
  {
    title: 'Lamps are lit',
    sky: ['#4a4e8f', '#b892c9'],
    light: '#ffe6a7',
    hills: ['#6d628f', '#4c4672', '#2b2a4c'],
    at: [88, 22, 7],
    stands: 'houses',
  },
  {
    title: 'Night ferry',
    sky: ['#10243e', '#2c5675'],
    light: '#e9eef7',
    hills: ['#23435e', '#173149', '#0c1f33'],
    at: [32, 24, 8],
    stands: 'boats',
  },
  {
    title: 'Moon over the cellar',
    sky: ['#1d1b33', '#4b3f72'],
    light: '#f6f1d5',
    hills: ['#3b3560', '#2a2748', '#191830'],
    at: [76, 28, 9],
    stands: 'cans',
  },
];
