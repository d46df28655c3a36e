import { spawn } from 'node:child_process';
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { chmodSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { asOrdinaryUser, EmbeddedPostgresError, isHeld, postgresEnvironment } from './postgres-command.ts';
import { writePrivateFile } from './write-private-file.ts';

/** The server's role: it owns the tables, and has no right on files, programs or other roles. */
export const SERVER_ROLE = 'cannery';
/** The role that initdb makes. It has every right, so nobody can sign in as it. */
export const SUPERUSER = 'postgres';
export const DATABASE = 'postgres';

const PASSWORD_FILE = 'cannery.password';
const RULES_FILE = 'pg_hba.conf';
const RULES = `# Written by Cannery at every start.
local all ${SUPERUSER} reject
local all all scram-sha-256
host all ${SUPERUSER} all reject
host all all 127.0.0.1/32 scram-sha-256
host all all ::1/128 scram-sha-256
`;
/** How long the database of a killed server, or what it leaves behind, may take to let go of the folder. */
export const LOCK_TIMEOUT_MS = 5_000;
const LOCK_RETRY_MS = 200;
/** One failing statement ends the program, and none is written to its output. */
const SETTINGS = ['exit_on_error=on', 'log_statement=none', 'log_min_error_statement=panic'];

/** The password of the server's role. @throws where the cluster has not been started by this version yet */
export function passwordOf(cluster: string): string {
  return readFileSync(path.join(cluster, PASSWORD_FILE), 'utf8').trim();
}

/**
 * Gives a cluster that does not run its roles and its rules of access: once, also to one of an earlier version, where every
 * process of the same user was the superuser. What an operator loosened since is tightened at each start.
 * @throws EmbeddedPostgresError
 */
export async function prepareRoles(postgres: string, cluster: string): Promise<void> {
  // Postgres refuses a folder that others may read.
  chmodSync(cluster, 0o700);
  const known = readIfThere(path.join(cluster, PASSWORD_FILE))?.trim();
  const hasRules = readIfThere(path.join(cluster, RULES_FILE)) === RULES;
  if (known !== undefined && hasRules) return;
  const password = known ?? randomBytes(32).toString('base64url');
  await runAlone(postgres, cluster, rolesSql(scramVerifier(password)));
  writePrivateFile(path.join(cluster, RULES_FILE), RULES);
  // Last: a start that is cut off before does all of it again.
  writePrivateFile(path.join(cluster, PASSWORD_FILE), `${password}\n`);
}

/** Runs statements as the superuser, without a server that others could reach meanwhile. */
async function runAlone(postgres: string, cluster: string, sql: string): Promise<void> {
  const deadline = performance.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    const [command = '', ...args] = asOrdinaryUser([
      postgres,
      '--single',
      '-j',
      '-D',
      cluster,
      ...SETTINGS.flatMap((setting) => ['-c', setting]),
      DATABASE,
    ]);
    const child = spawn(command, args, { stdio: ['pipe', 'ignore', 'pipe'], env: postgresEnvironment() });
    const failed = new Promise<string>((resolve) => child.once('error', ({ message }) => resolve(message)));
    const ended = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? 1)));
    // A program that ends early closes the pipe; its code says so.
    child.stdin.on('error', () => undefined);
    child.stdin.end(sql);
    const output = await Promise.race([text(child.stderr), failed]);
    if ((await Promise.race([ended, failed.then(() => 1)])) === 0) return;
    if (!isHeld(output) || performance.now() > deadline) {
      throw new EmbeddedPostgresError(
        isHeld(output)
          ? `Another Cannery is using ${path.dirname(cluster)}. Stop it, or set DATA_DIR to another folder.`
          : `The roles of the database could not be made: ${output.trim() || 'Postgres said nothing'}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MS));
  }
}

/** Statements end with an empty line in this mode of Postgres. They may run again on what they did. */
function rolesSql(verifier: string): string {
  const own = (kind: string) => `execute format('alter ${kind} %s owner to ${SERVER_ROLE}', it.name);`;
  const notSystem = `nspname not like 'pg\\_%' and nspname <> 'information_schema'`;
  const notOfExtension = (catalog: string, id: string) =>
    `not exists (select from pg_depend d where d.classid = '${catalog}'::regclass and d.objid = ${id} and d.deptype in ('e', 'a', 'i'))`;
  return [
    `do $$ begin if not exists (select from pg_roles where rolname = '${SERVER_ROLE}') then create role ${SERVER_ROLE}; end if; end $$`,
    `alter role ${SERVER_ROLE} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password '${verifier}'`,
    `alter database ${DATABASE} owner to ${SERVER_ROLE}`,
    // Everything that an earlier version made as the superuser. A sequence of a column follows its table.
    `do $$ declare it record; begin
for it in select quote_ident(nspname) as name from pg_namespace n where ${notSystem} and nspname <> 'public' and ${notOfExtension('pg_namespace', 'n.oid')} loop ${own('schema')} end loop;
for it in select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = relnamespace where ${notSystem} and relkind in ('r', 'p', 'v', 'm', 'S', 'f') and ${notOfExtension('pg_class', 'c.oid')} loop ${own('table')} end loop;
for it in select t.oid::regtype::text as name from pg_type t join pg_namespace n on n.oid = typnamespace where ${notSystem} and typtype in ('e', 'd', 'r') and ${notOfExtension('pg_type', 't.oid')} loop ${own('type')} end loop;
for it in select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = pronamespace where ${notSystem} and ${notOfExtension('pg_proc', 'p.oid')} loop ${own('routine')} end loop;
end $$`,
    `alter role ${SUPERUSER} nologin password null`,
  ]
    .map((statement) => `${statement};\n\n`)
    .join('');
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Stretching makes guessed words expensive. A password of 256 random bits cannot be guessed, and every connection that is
 * opened would pay for it.
 */
const ITERATIONS = 1;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

/**
 * What Postgres keeps of a random password (RFC 5803), so that the password itself never reaches its log.
 * @param password 256 random bits as text
 */
function scramVerifier(password: string): string {
  const salt = randomBytes(SALT_BYTES);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, KEY_BYTES, 'sha256');
  const keyed = (label: string): Buffer => createHmac('sha256', salted).update(label).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64');
  const server = keyed('Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${server}`;
}
