/** Tables of commands, past versions, daily creates and permission overwrites. */
import type Database from 'libsql'
import { fieldsOf, isObject, textOf } from '../foundation/values.js'
import type { Command, Definition, Place } from '../model/stored-command.js'
import { Snowflakes } from './snowflakes.js'
import { Table } from './table.js'

/** Version of a global command; without a definition, its deletion. */
export interface PastVersion {
  commandId: string
  version: string
  changed: number
  definition: Definition | undefined
}

/** Permission overwrite of a command for a role, user or channel. */
export interface Overwrite {
  id: string
  type: number
  permission: boolean
}

const GLOBALLY = ''

/** Deleted commands keep their last version. */
const LARGEST_ID = `SELECT CAST(MAX(given) AS TEXT) AS largest FROM (
  SELECT MAX(CAST(id AS INTEGER), CAST(version AS INTEGER)) AS given FROM command
  UNION ALL SELECT CAST(version AS INTEGER) FROM command_version
)`

export class Commands {
  readonly #table: Table
  readonly #snowflakes: Snowflakes

  constructor(database: Database.Database) {
    this.#table = new Table(database)
    const { largest } = this.#table.row(LARGEST_ID)
    this.#snowflakes = new Snowflakes(BigInt(textOf(largest) ?? 0))
  }

  nextId(now: number): string {
    return this.#snowflakes.next(now)
  }

  /** Runs in a transaction. */
  transaction<Result>(work: () => Result): Result {
    return this.#table.transaction(work)
  }

  list({ applicationId, guildId = GLOBALLY }: Place): Command[] {
    return this.#table
      .rows('SELECT * FROM command WHERE application_id = ? AND guild_id = ? ORDER BY CAST(id AS INTEGER)', [
        applicationId,
        guildId,
      ])
      .flatMap(toCommand)
  }

  put({ id, place, version, definition }: Command): void {
    const { applicationId, guildId = GLOBALLY } = place
    const values = [
      id,
      applicationId,
      guildId,
      definition.type,
      JSON.stringify(definition.name),
      version,
      JSON.stringify(definition),
    ]
    this.#table.run('INSERT OR REPLACE INTO command VALUES (?, ?, ?, ?, ?, ?, ?)', values)
  }

  delete(id: string): void {
    this.#table.run('DELETE FROM command WHERE id = ?', [id])
  }

  /** Stores a version of a global command with its time, for guilds to which it has not propagated. */
  remember({ commandId, version, changed, definition }: PastVersion): void {
    const body = definition === undefined ? null : JSON.stringify(definition)
    this.#table.run('INSERT OR REPLACE INTO command_version VALUES (?, ?, ?, ?)', [
      commandId,
      version,
      changed,
      body,
    ])
  }

  /** Oldest first. */
  history(): PastVersion[] {
    return this.#table
      .rows('SELECT * FROM command_version ORDER BY CAST(version AS INTEGER)', [])
      .map(({ command_id, version, changed, body }) => ({
        commandId: String(command_id),
        version: String(version),
        changed: Number(changed),
        definition: definitionOf(body),
      }))
  }

  /** Deletes versions that a newer one has replaced everywhere by this time. */
  forgetBefore(time: number): void {
    this.#table.run(
      `DELETE FROM command_version AS old WHERE EXISTS (SELECT 1 FROM command_version AS newer
        WHERE newer.command_id = old.command_id AND CAST(newer.version AS INTEGER) > CAST(old.version AS INTEGER) AND newer.changed < ?)`,
      [time],
    )
  }

  reload(guildId: string, commandId: string, version: string): void {
    this.#table.run('INSERT OR REPLACE INTO command_reload VALUES (?, ?, ?)', [guildId, commandId, version])
  }

  /** Versions that a guild loaded before they propagated, by command. */
  reloaded(guildId: string): Map<string, string> {
    const rows = this.#table.rows('SELECT command_id, version FROM command_reload WHERE guild_id = ?', [
      guildId,
    ])
    return new Map(rows.map(({ command_id, version }) => [String(command_id), String(version)]))
  }

  countCreates(
    { guildId = GLOBALLY, applicationId }: Place,
    { now, count }: { now: number; count: number },
  ): void {
    for (let made = 0; made < count; made += 1)
      this.#table.run('INSERT INTO command_create VALUES (?, ?, ?)', [applicationId, guildId, now])
  }

  /** Times of creates since a time, oldest first. */
  createsSince({ guildId = GLOBALLY, applicationId }: Place, since: number): number[] {
    this.#table.run('DELETE FROM command_create WHERE created <= ?', [since])
    return this.#table
      .rows('SELECT created FROM command_create WHERE application_id = ? AND guild_id = ? ORDER BY created', [
        applicationId,
        guildId,
      ])
      .map(({ created }) => Number(created))
  }

  /** Overwrites by the id of the command or application. */
  overwrites(guildId: string): Map<string, Overwrite[]> {
    const rows = this.#table.rows(
      'SELECT subject_id, overwrites FROM command_permission WHERE guild_id = ? ORDER BY CAST(subject_id AS INTEGER)',
      [guildId],
    )
    return new Map(rows.map(({ subject_id, overwrites }) => [String(subject_id), overwritesOf(overwrites)]))
  }

  putOverwrites(guildId: string, subjectId: string, overwrites: Overwrite[]): void {
    this.#table.run('INSERT OR REPLACE INTO command_permission VALUES (?, ?, ?)', [
      guildId,
      subjectId,
      JSON.stringify(overwrites),
    ])
  }

  /** Deletes the overwrites in every guild. */
  deleteOverwrites(subjectId: string): void {
    this.#table.run('DELETE FROM command_permission WHERE subject_id = ?', [subjectId])
  }

  clear(): void {
    for (const table of [
      'command',
      'command_version',
      'command_reload',
      'command_create',
      'command_permission',
    ])
      this.#table.run(`DELETE FROM ${table}`)
  }
}

function toCommand(row: Record<string, unknown>): Command[] {
  const definition = definitionOf(row['body'])
  if (definition === undefined) return []
  const guildId = String(row['guild_id'])
  const place = {
    applicationId: String(row['application_id']),
    guildId: guildId === GLOBALLY ? undefined : guildId,
  }
  return [{ id: String(row['id']), place, version: String(row['version']), definition }]
}

function definitionOf(body: unknown): Definition | undefined {
  const value: unknown = typeof body === 'string' ? JSON.parse(body) : undefined
  return isDefinition(value) ? value : undefined
}

/** Parsed without validation: only this class writes these rows. */
function isDefinition(value: unknown): value is Definition {
  return isObject(value)
}

function overwritesOf(value: unknown): Overwrite[] {
  const list: unknown = JSON.parse(String(value))
  if (!Array.isArray(list)) return []
  return list.map((item) => {
    const { id, type, permission } = fieldsOf(item)
    return { id: String(id), type: Number(type), permission: permission === true }
  })
}
