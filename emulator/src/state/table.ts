/** Asks SQLite: statements with values, rows as plain fields, and several at once or not at all. */
import type Database from 'libsql'
import { fieldsOf } from '../foundation/decode.js'

type Values = (string | number | null)[]

export class Table {
  readonly #database: Database.Database

  constructor(database: Database.Database) {
    this.#database = database
  }

  run(query: string, values: Values = []): void {
    this.#database.prepare(query).run(...values)
  }

  /** The first row; without one, an object without fields. */
  row(query: string, values: Values = []): Record<string, unknown> {
    return fieldsOf(this.#database.prepare(query).get(...values))
  }

  rows(query: string, values: Values = []): Record<string, unknown>[] {
    return this.#database
      .prepare(query)
      .all(...values)
      .map(fieldsOf)
  }

  /** All or nothing. */
  transaction<Result>(work: () => Result): Result {
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.#database.exec('COMMIT')
      return result
    } catch (error) {
      // A full disk ends the transaction by itself: then a rollback fails, and would hide the cause.
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK')
      throw error
    }
  }
}
