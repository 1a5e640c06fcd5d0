/** Opens the SQLite database (file or memory) with all persistent state. */
import Database from 'libsql'
import { EmulatorError } from '../foundation/emulator-error.js'
import { makePrivate } from '../foundation/text-files.js'
import { fieldsOf } from '../foundation/values.js'
import { Accounts } from './accounts.js'
import { Clock } from './clock.js'
import { Commands } from './commands.js'
import { GuildInvites } from './guild-invites.js'
import { Installations } from './installations.js'
import { Lobbies } from './lobbies.js'
import { Records } from './records.js'
import { Settings } from './settings.js'
import { copyTables, replaceTables, type Snapshot } from './snapshot.js'

const MEMORY = ':memory:'

/** Migrations, each from the previous version; a new file runs all of them. */
const STEPS = [
  `
  CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE record (
    kind TEXT NOT NULL, id TEXT NOT NULL, payload TEXT NOT NULL, expires INTEGER,
    grant_id TEXT, account_id TEXT, client_id TEXT, uid TEXT, user_code TEXT, ended TEXT,
    PRIMARY KEY (kind, id)
  ) STRICT;
  CREATE INDEX record_grant ON record (grant_id) WHERE grant_id IS NOT NULL;
  CREATE INDEX record_account ON record (account_id, client_id) WHERE account_id IS NOT NULL;
  CREATE INDEX record_uid ON record (uid) WHERE uid IS NOT NULL;
  CREATE INDEX record_user_code ON record (user_code) WHERE user_code IS NOT NULL;
  CREATE TABLE installation (
    application_id TEXT NOT NULL, integration_type INTEGER NOT NULL, owner_id TEXT NOT NULL,
    user_id TEXT NOT NULL, scope TEXT NOT NULL, permissions TEXT, created INTEGER NOT NULL,
    PRIMARY KEY (application_id, integration_type, owner_id)
  ) STRICT;
`,
  `
  CREATE TABLE command (
    id TEXT PRIMARY KEY, application_id TEXT NOT NULL, guild_id TEXT NOT NULL, type INTEGER NOT NULL, name TEXT NOT NULL,
    version TEXT NOT NULL, body TEXT NOT NULL, UNIQUE (application_id, guild_id, type, name)
  ) STRICT;
  CREATE TABLE command_version (
    command_id TEXT NOT NULL, version TEXT NOT NULL, changed INTEGER NOT NULL, body TEXT,
    PRIMARY KEY (command_id, version)
  ) STRICT;
  CREATE TABLE command_reload (
    guild_id TEXT NOT NULL, command_id TEXT NOT NULL, version TEXT NOT NULL, PRIMARY KEY (guild_id, command_id)
  ) STRICT;
  CREATE TABLE command_create (application_id TEXT NOT NULL, guild_id TEXT NOT NULL, created INTEGER NOT NULL) STRICT;
  CREATE INDEX command_create_place ON command_create (application_id, guild_id);
  CREATE TABLE command_permission (
    guild_id TEXT NOT NULL, subject_id TEXT NOT NULL, overwrites TEXT NOT NULL, PRIMARY KEY (guild_id, subject_id)
  ) STRICT;
`,
  `
  CREATE TABLE account (id TEXT PRIMARY KEY, username TEXT NOT NULL, global_name TEXT) STRICT;
  CREATE TABLE identity (type TEXT NOT NULL, subject TEXT NOT NULL, account_id TEXT NOT NULL, PRIMARY KEY (type, subject)) STRICT;
  CREATE INDEX identity_account ON identity (account_id);
`,
  `
  CREATE TABLE lobby (
    id TEXT PRIMARY KEY, application_id TEXT NOT NULL, metadata TEXT NOT NULL, idle_seconds INTEGER NOT NULL,
    secret TEXT, secret_ends INTEGER, channel_id TEXT, deadline INTEGER, ended TEXT, ended_at INTEGER
  ) STRICT;
  CREATE INDEX lobby_secret ON lobby (application_id, secret) WHERE secret IS NOT NULL;
  CREATE INDEX lobby_channel ON lobby (channel_id) WHERE channel_id IS NOT NULL;
  CREATE INDEX lobby_deadline ON lobby (deadline);
  CREATE INDEX lobby_ended ON lobby (ended_at);
  CREATE TABLE lobby_member (
    lobby_id TEXT NOT NULL, user_id TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (lobby_id, user_id)
  ) STRICT;
  CREATE INDEX lobby_member_user ON lobby_member (user_id);
  CREATE TABLE lobby_message (id TEXT PRIMARY KEY, lobby_id TEXT NOT NULL, created INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
  CREATE INDEX lobby_message_lobby ON lobby_message (lobby_id);
  CREATE INDEX lobby_message_created ON lobby_message (created);
`,
  `
  CREATE TABLE guild_invite (code TEXT PRIMARY KEY, guild_id TEXT NOT NULL, user_id TEXT NOT NULL, expires INTEGER NOT NULL) STRICT;
  CREATE TABLE guild_joined (guild_id TEXT NOT NULL, user_id TEXT NOT NULL, PRIMARY KEY (guild_id, user_id)) STRICT;
`,
]

export interface State {
  readonly clock: Clock
  readonly records: Records
  readonly settings: Settings
  readonly installations: Installations
  readonly commands: Commands
  readonly accounts: Accounts
  readonly lobbies: Lobbies
  readonly guildInvites: GuildInvites
  /** Deletes all data except the credentials, and resets the clock. */
  clear(): void
  /** Copies all data except the credentials. */
  snapshot(): Snapshot
  /** Replaces all data except the credentials, and sets the clock. @throws EmulatorError `bad_request`. */
  restore(snapshot: Snapshot): void
  close(): void
}

/** @throws EmulatorError `state_in_use`, `state_unusable`. */
export function openState(file: string | undefined): State {
  const { database, release } = open(file)
  try {
    return readState(database, release)
  } catch (cause) {
    database.close()
    release()
    throw unusable(file ?? MEMORY, cause)
  }
}

function readState(database: Database.Database, release: () => void): State {
  const settings = new Settings(database)
  settings.credentials()
  const clock = new Clock({ ahead: settings.ahead(), keep: (ahead) => settings.keepAhead(ahead) })
  const records = new Records(database, clock)
  const installations = new Installations(database, clock)
  const commands = new Commands(database)
  const accounts = new Accounts(database, clock)
  const lobbies = new Lobbies(database)
  const guildInvites = new GuildInvites(database)
  records.sweep()
  return {
    clock,
    records,
    installations,
    commands,
    accounts,
    lobbies,
    guildInvites,
    settings,
    clear: () => {
      for (const table of [records, installations, commands, accounts, lobbies, guildInvites]) table.clear()
      settings.forgetLaunched()
      clock.reset()
    },
    snapshot: () => ({
      format: 1,
      takenAt: clock.now(),
      ahead: clock.state().ahead,
      tables: copyTables(database),
    }),
    restore: ({ ahead, tables }) => {
      replaceTables(database, tables)
      lobbies.reload()
      clock.reset()
      clock.change({ skew: ahead })
    },
    close: () => {
      database.close()
      release()
    },
  }
}

interface Opened {
  database: Database.Database
  release: () => void
}

function open(file: string | undefined): Opened {
  const release = lockIfFile(file)
  try {
    if (file !== undefined) makePrivate(file)
    const database = new Database(file ?? MEMORY)
    // SQLite gives its two files beside the database the same permissions.
    if (file !== undefined) database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;')
    requireIntact(database)
    prepare(database)
    requireTables(database)
    return { database, release }
  } catch (cause) {
    release()
    throw unusable(file ?? MEMORY, cause)
  }
}

function lockIfFile(file: string | undefined): () => void {
  if (file === undefined) return () => undefined
  try {
    return lockFile(file)
  } catch (cause) {
    throw unusable(file, cause)
  }
}

function unusable(file: string, cause: unknown): EmulatorError {
  if (cause instanceof EmulatorError) return cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new EmulatorError(
    'state_unusable',
    `The state file ${file} cannot be used: ${reason}. Name another file, or delete this one to start anew.`,
    {
      cause,
    },
  )
}

/** A damaged page would otherwise be noticed by the first request that needs it. */
function requireIntact(database: Database.Database): void {
  const { quick_check: result } = fieldsOf(database.prepare('PRAGMA quick_check(1)').get())
  if (result !== 'ok') throw new Error(`it is damaged (${String(result)})`)
}

function requireTables(database: Database.Database): void {
  const whole = new Database(MEMORY)
  prepare(whole)
  const found = new Set(tablesOf(database))
  const missing = tablesOf(whole).filter((name) => !found.has(name))
  whole.close()
  if (missing.length > 0) throw new Error(`it lacks the table ${missing.join(', ')}`)
}

const tablesOf = (database: Database.Database): string[] =>
  database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map((row) => String(fieldsOf(row)['name']))

function prepare(database: Database.Database): void {
  const { user_version: found } = fieldsOf(database.prepare('PRAGMA user_version').get())
  if (typeof found !== 'number' || found > STEPS.length) {
    throw new Error(
      `another version of the emulator wrote it (${String(found)}, this one writes ${STEPS.length})`,
    )
  }
  const missing = STEPS.slice(found)
  if (missing.length > 0)
    database.exec(`BEGIN IMMEDIATE; ${missing.join('')} PRAGMA user_version = ${STEPS.length}; COMMIT;`)
}

/** Milliseconds to wait for an emulator that is shutting down. */
const PATIENCE = 2000

/**
 * Acquires the lock of a state file and returns its release; it also ends with the process. It is held in an empty file beside it, since
 * the library keeps a database open until its statements are garbage-collected.
 * @throws EmulatorError `state_in_use`
 */
function lockFile(file: string): () => void {
  makePrivate(`${file}-lock`)
  const lock = new Database(`${file}-lock`, { timeout: PATIENCE })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    if (!(cause instanceof Error) || Reflect.get(cause, 'code') !== 'SQLITE_BUSY') throw cause
    throw new EmulatorError(
      'state_in_use',
      `The state file ${file} is in use by another emulator; stop that one, or choose another file.`,
      {
        cause,
      },
    )
  }
  return () => {
    if (lock.open) lock.exec('ROLLBACK')
    lock.close()
  }
}
