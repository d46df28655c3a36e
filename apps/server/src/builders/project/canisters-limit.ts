import { ProjectFileError } from '../source/project-file-error.ts';

/** Canisters of one project; the largest surveyed has 12. */
const CANISTERS_LIMIT = 50;

/**
 * Asked before a canister is read, so that none of the files is opened that are named by canisters beyond the limit.
 * @param known canisters of the project that were read before it
 * @throws ProjectFileError when it would be one too many
 */
export function expectRoomForCanister(known: number): void {
  if (known >= CANISTERS_LIMIT)
    throw new ProjectFileError(`The project has more than ${CANISTERS_LIMIT} canisters. Deploy it in parts.`);
}
