import { type Kysely, sql } from 'kysely';

/** Of each run its place among those of its deploy, and its commit. */
const marks = `select id, row_number() over (partition by deploy_id order by seq) as number, commit_sha from deploy_instances`;

const STATEMENTS = [
  'alter table canisters add column told_http boolean, add column told_http_hash text',
  // What an upload was seen to export.
  `update canisters c
    set origin = origin || jsonb_build_object('servesHttp',
      m.exports ? 'canister_query http_request' or m.exports ? 'canister_composite_query http_request')
    from modules m where m.identifier = c.origin_hash`,
  // Runs fill websites with the module of the server, which answers HTTP.
  `update canisters c set origin = origin || '{"servesHttp": true}'
    from deploy_canisters dc
    where dc.canister_id = c.id and dc.kind = 'site' and c.origin ->> 'kind' = 'run'
      and c.origin ->> 'deployId' = dc.deploy_id`,
  `update canisters c
    set origin = origin || jsonb_build_object('number', marks.number, 'commit', marks.commit_sha)
    from (${marks}) marks where c.origin ->> 'kind' = 'run' and c.origin ->> 'runId' = marks.id`,
  // The last run that has put the files of a website in is the last one that has succeeded and had this canister in it.
  `with filled as (
      select distinct on (dc.canister_id) dc.canister_id, dc.deploy_id, marks.id, marks.number, marks.commit_sha
      from deploy_canisters dc
      join deploys d on d.id = dc.deploy_id
      join deploy_instances r on r.deploy_id = d.id and r.status = 'COMPLETED'
      join (${marks}) marks on marks.id = r.id
      left join run_artifacts a on a.instance_id = r.id
      where dc.kind = 'site'
        and (d.type = 'STATIC_SITE' or a.canisters @> jsonb_build_array(jsonb_build_object('name', dc.name)))
      order by dc.canister_id, r.seq desc
    )
    update canisters c
    set origin = origin || jsonb_build_object('filledBy',
      jsonb_build_object('runId', filled.id, 'number', filled.number, 'commit', filled.commit_sha))
    from filled
    where filled.canister_id = c.id and c.origin ->> 'kind' = 'run' and c.origin ->> 'deployId' = filled.deploy_id`,
];

/** Whether a canister answers HTTP, and which run of its deploy its code is of. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
