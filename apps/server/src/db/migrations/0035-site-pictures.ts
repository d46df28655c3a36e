import { type Kysely, sql } from 'kysely';

/** The picture of a website of a deploy, taken when a run was live. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table site_pictures (
    canister_id text primary key,
    deploy_id text not null,
    instance_id text not null,
    picture bytea not null,
    taken_at timestamptz not null default now(),
    foreign key (deploy_id, canister_id) references deploy_canisters on delete cascade
  )`.execute(db);
}
