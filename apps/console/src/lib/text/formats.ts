/** What stands where a value is missing. */
export const NOT_AVAILABLE = 'N/A';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A text, or N/A where it is missing. */
export function shown(text: string | null | undefined): string {
  return text || NOT_AVAILABLE;
}

type DateText = string | null | undefined;

interface DateParts {
  readonly year: string;
  readonly month: string;
  readonly monthName: string;
  readonly day: string;
  readonly time: string;
  /** With milliseconds. */
  readonly seconds: string;
  readonly half: 'AM' | 'PM';
}

const pad = (value: number): string => String(value).padStart(2, '0');

function inParts(text: DateText, write: (parts: DateParts) => string): string {
  const date = text == null ? undefined : new Date(text);
  if (date === undefined || Number.isNaN(date.getTime())) return NOT_AVAILABLE;
  return write({
    year: String(date.getFullYear()),
    month: pad(date.getMonth() + 1),
    monthName: months[date.getMonth()] ?? '',
    day: pad(date.getDate()),
    time: `${pad(date.getHours())}:${pad(date.getMinutes())}`,
    seconds: `${pad(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`,
    half: date.getHours() < 12 ? 'AM' : 'PM',
  });
}

/** Tables: DD/MM/YYYY HH:mm A, the 24-hour clock with AM or PM behind it, in the browser's time zone. */
export function tableDate(text: DateText): string {
  return inParts(text, (at) => `${at.day}/${at.month}/${at.year} ${at.time} ${at.half}`);
}

/** Deploy instances: MMM DD, YYYY HH:mm. */
export function instanceDate(text: DateText): string {
  return inParts(text, (at) => `${at.monthName} ${at.day}, ${at.year} ${at.time}`);
}

/** Upload of a dapp: MMM DD, YYYY. */
export function uploadDate(text: DateText): string {
  return inParts(text, (at) => `${at.monthName} ${at.day}, ${at.year}`);
}

/** Last update of a canister: DD MMM YYYY, HH:MM. */
export function updateDate(text: DateText): string {
  return inParts(text, (at) => `${at.day} ${at.monthName} ${at.year}, ${at.time}`);
}

/** The time of a day: HH:mm. */
export function clockTime(text: DateText): string {
  return inParts(text, ({ time }) => time);
}

/** Records of a canister's log: DD/MM/YYYY HH:mm:ss.SSS, since several fall in one second. */
export function logTime(text: DateText): string {
  return inParts(text, (at) => `${at.day}/${at.month}/${at.year} ${at.time}:${at.seconds}`);
}

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** How long ago a moment was: '3 minutes ago', 'yesterday', 'just now'. */
export function ago(text: DateText, now: number = Date.now()): string {
  const time = text == null ? Number.NaN : Date.parse(text);
  if (Number.isNaN(time)) return NOT_AVAILABLE;
  const seconds = (time - now) / 1000;
  for (const [unit, length] of steps) {
    if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit);
  }
  return 'just now';
}

/** Duration in seconds with suffix s, or N/A. */
export function seconds(duration: number | null | undefined): string {
  return duration == null ? NOT_AVAILABLE : `${duration}s`;
}

/** Cuts a long id or hash in its middle: the first `head` and the last `tail` characters stay. */
export function cutMiddle(text: string, head: number, tail: number): string {
  return text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`;
}
