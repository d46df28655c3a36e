/**
 * Whether every case of a long table runs (`npm run test:all`), or, as in `npm test`, some that show each kind: decision 0168.
 * What carries a requirement ID runs always.
 */
export const runsEveryCase = process.env['EVERY_CASE'] !== undefined;
