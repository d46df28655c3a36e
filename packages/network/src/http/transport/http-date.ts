let dateSecond = 0;
let dateText = '';

/** The time as HTTP writes it, 29 characters; made once a second. */
export function httpDate(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = new Date().toUTCString();
  }
  return dateText;
}
