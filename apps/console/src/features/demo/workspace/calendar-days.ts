import type { CalendarEvent } from './workspace-content.ts';

/** The day as a date of this browser's calendar. @param day YYYY-MM-DD */
export function dateOf(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date);
}

/** YYYY-MM-DD of a date. */
export function dayOf(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The events of a day. */
export function eventsOn(events: readonly CalendarEvent[], day: string): readonly CalendarEvent[] {
  return events.filter(({ date }) => date === day);
}
