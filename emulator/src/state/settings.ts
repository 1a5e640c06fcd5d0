/** Table of settings that survive a restart: credentials, and the offset of the clock. */
import type Database from 'libsql'
import { fieldsOf } from '../foundation/values.js'
import { isCredentials, type Credentials } from '../foundation/credentials.js'

export class Settings {
  readonly #database: Database.Database

  constructor(database: Database.Database) {
    this.#database = database
  }

  credentials(): Credentials | undefined {
    const kept = this.#read('credentials')
    return isCredentials(kept) ? kept : undefined
  }

  keepCredentials(credentials: Credentials): void {
    this.#keep('credentials', credentials)
  }

  /** Milliseconds. */
  ahead(): number {
    const kept = this.#read('ahead')
    return typeof kept === 'number' ? kept : 0
  }

  keepAhead(ahead: number): void {
    this.#keep('ahead', ahead)
  }

  #read(name: string): unknown {
    const { value } = fieldsOf(this.#database.prepare('SELECT value FROM setting WHERE name = ?').get(name))
    return typeof value === 'string' ? JSON.parse(value) : undefined
  }

  #keep(name: string, value: unknown): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)')
      .run(name, JSON.stringify(value))
  }

  /** True if the application's entry point was created before. */
  hasLaunched(applicationId: string): boolean {
    return (
      this.#database.prepare('SELECT 1 FROM setting WHERE name = ?').get(launched(applicationId)) !==
      undefined
    )
  }

  keepLaunched(applicationId: string): void {
    this.#database
      .prepare("INSERT OR REPLACE INTO setting (name, value) VALUES (?, 'yes')")
      .run(launched(applicationId))
  }

  forgetLaunched(): void {
    this.#database.prepare("DELETE FROM setting WHERE name LIKE 'launched %'").run()
  }
}

function launched(applicationId: string): string {
  return `launched ${applicationId}`
}
