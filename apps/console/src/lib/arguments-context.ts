import { createContext } from 'react';
import type { OpenArguments } from './argument-draft.ts';

/** Loads the inputs of Candid values, which are large and needed only once a module asks for arguments. */
export type LoadArguments = () => Promise<OpenArguments>;

/** Set by the application, which alone knows both this feature and the Candid inputs. */
export const ArgumentsContext = createContext<LoadArguments | undefined>(undefined);
