import { createContext } from 'react';
import type { ArgsInput } from '../form/read-args.ts';

/**
 * What was entered for the methods of a canister, by method and types, for as long as the page around the tab with the methods is open: the
 * tab itself goes when another is opened. Without such a page it is undefined.
 */
export const EnteredArguments = createContext<Map<string, ArgsInput> | undefined>(undefined);
