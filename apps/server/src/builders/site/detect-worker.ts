import { serve } from '../../thread/serve-thread.ts';
import { detectFramework } from './detect-framework.ts';

await serve(detectFramework, []);
