/** Typed access to SQLite: statements with parameters, rows as plain objects, transactions. */
import type Database from 'libsql'
import { fieldsOf } from '../foundation/values.js'

type Values = (string | number | null)[]

export class Table {
  readonly #database: Database.Database

  constructor(database: Database.Database) {
    this.#database = database
  }

  run(query: string, values: Values = []): void {
    this.#database.prepare(query).run(...values)
  }

  /** Returns the first row, or an empty object. */
  row(query: string, values: Values = []): Record<string, unknown> {
    return fieldsOf(this.#database.prepare(query).get(...values))
  }

  rows(query: string, values: Values = []): Record<string, unknown>[] {
    return this.#database
      .prepare(query)
      .all(...values)
      .map(fieldsOf)
  }

  /** Runs in a transaction. */
  transaction<Result>(work: () => Result): Result {
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.#database.exec('COMMIT')
      return result
    } catch (error) {
      // A full disk ends the transaction itself: the rollback then fails, and would hide the cause.
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK')
      throw error
    }
  }
}
