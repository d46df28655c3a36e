import { CandidError } from '@cannery/candid';
import { serve } from '../thread/serve-thread.ts';
import { doCandidWork } from './candid-work.ts';

await serve(doCandidWork, [CandidError]);
