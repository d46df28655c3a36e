import { expect, test } from 'vitest';
import { findProducts } from './products.ts';

const titled = (title: string | null) => ({
  id: String(title),
  img: null,
  title,
  subtitle: 'Peach',
  price: 1,
  rating: 1,
});
const products = ['Peach halves', 'peach jam', 'Peas (green)', null].map(titled);

test.each([
  ['Pea', ['Peach halves', 'Peas (green)']],
  ['pea', ['peach jam']],
  ['ach', ['Peach halves', 'peach jam']],
  ['PEACH', []],
  ['.', []],
  ['(green)', ['Peas (green)']],
  ['', ['Peach halves', 'peach jam', 'Peas (green)', null]],
])('[DEMO-15] %j is looked for in the title, letter for letter', (text, found) => {
  expect(findProducts(products, text).map(({ title }) => title)).toEqual(found);
});
