/** The same sentence for what never was, what is deleted and what is somebody else's: which of these it is, nobody is told. */
export const UNKNOWN_THING = 'It was deleted, its address is wrong, or it belongs to somebody else.';

/** What the page for an address that leads nowhere is told where that may have been a repository. */
export const UNKNOWN_REPOSITORY = 'repository';
