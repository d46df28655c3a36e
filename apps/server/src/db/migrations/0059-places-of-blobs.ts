import { type Kysely, sql } from 'kysely';

/** Where blobs are, which all processes on this database share; pictures of users and of websites are among them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table blob_place (
    only_row boolean primary key default true check (only_row),
    id text not null,
    kind text not null check (kind in ('folder', 'bucket')),
    name text not null,
    holder text,
    held_until timestamptz
  )`,
  `create table avatars (
    user_id text primary key references users on delete cascade,
    address_key text not null,
    identifier text not null references blobs,
    drawn_at timestamptz not null default now()
  )`,
  'create index avatars_of_blobs on avatars (identifier)',
  // A picture of before stays in its column until a server has put it into the blob store.
  `alter table site_pictures
    alter column picture drop not null,
    add column identifier text references blobs,
    add constraint site_pictures_in_one_place check ((picture is null) <> (identifier is null))`,
  'create index site_pictures_of_blobs on site_pictures (identifier)',
];
