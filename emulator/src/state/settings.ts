/** Keeps the credentials of an emulator between two runs. */
import type Database from 'libsql'
import { fieldsOf } from '../decode.js'
import { isCredentials, type Credentials } from '../secrets.js'

export class Settings {
  readonly #database: Database.Database

  constructor(database: Database.Database) {
    this.#database = database
  }

  credentials(): Credentials | undefined {
    const { value } = fieldsOf(this.#database.prepare("SELECT value FROM setting WHERE name = 'credentials'").get())
    const kept: unknown = typeof value === 'string' ? JSON.parse(value) : undefined
    return isCredentials(kept) ? kept : undefined
  }

  keepCredentials(credentials: Credentials): void {
    this.#database.prepare("INSERT OR REPLACE INTO setting (name, value) VALUES ('credentials', ?)").run(JSON.stringify(credentials))
  }

  /** Whether this application was given its entry point before. */
  hasLaunched(applicationId: string): boolean {
    return this.#database.prepare('SELECT 1 FROM setting WHERE name = ?').get(launched(applicationId)) !== undefined
  }

  keepLaunched(applicationId: string): void {
    this.#database.prepare("INSERT OR REPLACE INTO setting (name, value) VALUES (?, 'yes')").run(launched(applicationId))
  }

  forgetLaunched(): void {
    this.#database.prepare("DELETE FROM setting WHERE name LIKE 'launched %'").run()
  }
}

function launched(applicationId: string): string {
  return `launched ${applicationId}`
}
