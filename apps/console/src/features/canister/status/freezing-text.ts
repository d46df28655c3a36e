/** Fewer days than this until freezing ask for attention. */
export const SOON_DAYS = 30;

const DAYS_PER_YEAR = 365;

/** Days until a canister freezes, for people: '12 days', '3.4 years', 'never'. */
export function freezingText(days: number | null, frozen: boolean): string {
  if (frozen) return 'frozen now';
  if (days === null) return 'never';
  if (days < 1) return 'less than a day';
  if (days >= 2 * DAYS_PER_YEAR) {
    const years = days / DAYS_PER_YEAR;
    if (years >= 1000) return 'more than 1,000 years';
    return `${years >= 100 ? Math.floor(years) : years.toFixed(1)} years`;
  }
  const whole = Math.floor(days);
  return whole === 1 ? '1 day' : `${whole} days`;
}
