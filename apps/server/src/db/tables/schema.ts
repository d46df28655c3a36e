import type { ApiTokenTables } from './api-token-tables.ts';
import type { CanisterTables } from './canister-tables.ts';
import type { CoreTables } from './core-tables.ts';
import type { DeployHookTables } from './deploy-hook-tables.ts';
import type { DeployTables } from './deploy-tables.ts';
import type { DocumentTables } from './document-tables.ts';
import type { FirstStepTables } from './first-step-tables.ts';
import type { GitHubTables } from './github-tables.ts';
import type { LiveTables } from './live-tables.ts';
import type { MarketplaceTables } from './marketplace-tables.ts';
import type { PictureTables } from './picture-tables.ts';
import type { ProductTables } from './product-tables.ts';
import type { QuotaTables } from './quota-tables.ts';
import type { RegistryTables } from './registry-tables.ts';
import type { RoleTables } from './role-tables.ts';
import type { SharedTables } from './shared-tables.ts';

/** Every table of the database; each area of the product adds its own set of tables here. */
export interface Schema
  extends CoreTables,
    DeployTables,
    DeployHookTables,
    CanisterTables,
    DocumentTables,
    RegistryTables,
    MarketplaceTables,
    PictureTables,
    ProductTables,
    QuotaTables,
    ApiTokenTables,
    GitHubTables,
    LiveTables,
    FirstStepTables,
    RoleTables,
    SharedTables {}
