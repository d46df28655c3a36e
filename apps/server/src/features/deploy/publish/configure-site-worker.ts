import { SiteRulesError } from '../../../ic/assets/asset-rules.ts';
import { serve } from '../../../thread/serve-thread.ts';
import { configureSite } from './configure-site.ts';

await serve(configureSite, [SiteRulesError]);
