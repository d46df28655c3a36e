import { expect, test } from 'vitest';
import { deletionStep, isBusy } from './registry-steps.ts';

test('[REG-06] a deletion goes from open to deleting, and only its end closes the dialog', () => {
  const open = deletionStep('closed', 'asked');
  expect(open).toBe('open');
  expect(deletionStep(open, 'succeeded')).toBe('open');
  const deleting = deletionStep(open, 'confirmed');
  expect(deleting).toBe('deleting');
  expect(deletionStep(deleting, 'cancelled')).toBe('deleting');
  expect(deletionStep(deleting, 'confirmed')).toBe('deleting');
  expect(deletionStep(deleting, 'succeeded')).toBe('closed');
  expect(deletionStep(open, 'cancelled')).toBe('closed');
});

test('[ERR-13] a refused deletion closes the dialog', () => {
  expect(deletionStep('deleting', 'refused')).toBe('closed');
});

test('a deletion without an answer leaves the dialog open for another try', () => {
  expect(deletionStep('deleting', 'lost')).toBe('open');
  expect(deletionStep('closed', 'lost')).toBe('closed');
});

test('controls are disabled while something is on its way', () => {
  expect(isBusy({ at: 'uploading', sent: 0, total: 1 })).toBe(true);
  expect(isBusy({ at: 'saving' })).toBe(true);
  expect(isBusy({ at: 'failed', error: undefined })).toBe(false);
});
