/** Copies the persistent state out of the database, and back. */
import { sentence } from '../foundation/sentence.js'
import type Database from 'libsql'
import { EmulatorError, WrongInput } from '../foundation/emulator-error.js'
import { fieldsOf, isObject } from '../foundation/values.js'
import { isSkew } from './clock.js'
import { Table } from './table.js'

type Row = Record<string, string | number | null>

/** State of an emulator at one time, as plain JSON: installations, commands, accounts, lobbies, and grants with their tokens. */
export interface Snapshot {
  /** Version of this format; a snapshot of another one is refused. */
  format: 1
  /** Epoch milliseconds of the emulator's clock. */
  takenAt: number
  /** Offset of the emulator's clock from the machine's, in milliseconds. */
  ahead: number
  /** Rows of each table. */
  tables: Record<string, Row[]>
}

/** Credentials are not copied: they belong to the emulator, and backends have them. */
const COPIED: Record<string, string> = {
  setting: "name LIKE 'launched %'",
  record: '1',
  installation: '1',
  command: '1',
  command_version: '1',
  command_reload: '1',
  command_create: '1',
  command_permission: '1',
  account: '1',
  identity: '1',
  lobby: '1',
  lobby_member: '1',
  lobby_message: '1',
}

export function copyTables(database: Database.Database): Snapshot['tables'] {
  const table = new Table(database)
  const copies = Object.entries(COPIED).map(([name, where]) => [
    name,
    table.rows(`SELECT * FROM ${name} WHERE ${where} ORDER BY rowid`),
  ])
  return toTables(Object.fromEntries(copies))
}

/** Replaces all rows, or none. @throws EmulatorError `bad_request` if the tables do not fit. */
export function replaceTables(database: Database.Database, tables: Snapshot['tables']): void {
  const table = new Table(database)
  try {
    table.transaction(() => {
      for (const [name, where] of Object.entries(COPIED)) {
        table.run(`DELETE FROM ${name} WHERE ${where}`)
        const columns = table
          .rows(`SELECT name FROM pragma_table_info('${name}')`)
          .map((column) => String(column['name']))
        const insert = `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
        for (const row of tables[name] ?? []) {
          if (name === 'setting' && !String(row['name']).startsWith('launched '))
            throw new Error('a setting that is not copied')
          const values = columns.map((column) => row[column] ?? null)
          table.run(insert, values)
        }
      }
    })
  } catch (error) {
    throw new EmulatorError(
      'bad_request',
      sentence(`The snapshot cannot be restored: ${error instanceof Error ? error.message : String(error)}`),
    )
  }
}

/** @throws EmulatorError `bad_request` for anything but a snapshot. */
export function parseSnapshot(value: unknown): Snapshot {
  const { format, takenAt, ahead, tables } = fieldsOf(value)
  if (format !== 1 || typeof takenAt !== 'number' || !isSkew(ahead) || !isObject(tables))
    throw new WrongInput(
      'this is no snapshot of an emulator: it must be an object { format: 1, takenAt, ahead, tables }, as emulator.snapshot() returns it',
    )
  return { format, takenAt, ahead, tables: toTables(fieldsOf(tables)) }
}

function toTables(tables: Record<string, unknown>): Snapshot['tables'] {
  return Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [name, Array.isArray(rows) ? rows.map(toRow) : []]),
  )
}

function toRow(value: unknown): Row {
  const cells = Object.entries(fieldsOf(value)).filter((cell): cell is [string, Row[string]] =>
    isCell(cell[1]),
  )
  return Object.fromEntries(cells)
}

function isCell(value: unknown): value is Row[string] {
  return value === null || typeof value === 'string' || typeof value === 'number'
}

export interface SnapshotEntry {
  name: string
  /** Epoch milliseconds of the emulator's clock. */
  takenAt: number
}

/** The oldest one is dropped. */
const CAPACITY = 20

export class SavedSnapshots {
  readonly #saved = new Map<string, Snapshot>()

  /** Replaces the snapshot of that name. @throws EmulatorError `bad_request` for a name that is empty or longer than 100 characters. */
  save(name: string, snapshot: Snapshot): void {
    if (name.trim() === '' || name.length > 100)
      throw new EmulatorError('bad_request', 'A snapshot has a name of 1 to 100 characters.')
    this.#saved.delete(name)
    this.#saved.set(name, snapshot)
    const [oldest] = this.#saved.keys()
    if (this.#saved.size > CAPACITY && oldest !== undefined) this.#saved.delete(oldest)
  }

  /** @throws EmulatorError `bad_request` if there is none. */
  find(name: string): Snapshot {
    const snapshot = this.#saved.get(name)
    if (snapshot === undefined)
      throw new EmulatorError('bad_request', `There is no snapshot ${JSON.stringify(name)}.`)
    return snapshot
  }

  /** Newest first. */
  list(): SnapshotEntry[] {
    return [...this.#saved].map(([name, { takenAt }]) => ({ name, takenAt })).toReversed()
  }
}
