/** Keeps the credentials of an emulator between two runs. */
import type Database from 'libsql'
import type { Credentials } from '../secrets.js'

export class Settings {
  readonly #database: Database.Database

  constructor(database: Database.Database) {
    this.#database = database
  }

  credentials(): Credentials | undefined {
    const row = this.#database.prepare("SELECT value FROM setting WHERE name = 'credentials'").get() as { value: string } | undefined
    return row === undefined ? undefined : (JSON.parse(row.value) as Credentials)
  }

  keepCredentials(credentials: Credentials): void {
    this.#database.prepare("INSERT OR REPLACE INTO setting (name, value) VALUES ('credentials', ?)").run(JSON.stringify(credentials))
  }
}
