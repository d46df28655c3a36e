/** Metadata of modules whose main memory has to be kept across upgrades (Motoko since moc 0.15). */
export const KEEPS_MEMORY = 'enhanced-orthogonal-persistence';
