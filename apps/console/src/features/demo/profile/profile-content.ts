/** Whom the sample profile shows: nobody. */
export const person = {
  name: 'Mira Kovač',
  username: 'mira.preserves',
  location: 'Ljubljana, Slovenia',
  about:
    'Turns orchards into shelves. Draws labels, keeps bees, and writes down how long everything has to simmer.',
  tags: ['Preserves', 'Labels', 'Orchards', 'Small batches', 'Honey'],
  facts: [
    ['Followers', '2,418'],
    ['Recipes', '136'],
    ['Awards', '7'],
  ],
} as const;

/** Where such a person would be found; the start pages of the networks, since nobody has these accounts. */
export const socialLinks = [
  { label: 'GitHub', href: 'https://github.com/' },
  { label: 'Mastodon', href: 'https://joinmastodon.org/' },
  { label: 'LinkedIn', href: 'https://www.linkedin.com/' },
] as const;

export const milestones = [
  { year: '2026', text: 'Opened a workshop with a glass wall, so that everybody sees the copper pots.' },
  { year: '2024', text: 'Sold the thousandth jar of lime blossom honey.' },
  { year: '2021', text: 'Filled the first can: peaches, in light syrup.' },
] as const;
