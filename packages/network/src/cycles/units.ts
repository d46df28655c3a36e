/** Units the fee schedules are stated in. */
export const SECONDS_PER_DAY = 86_400n;
export const GIB = 1n << 30n;
