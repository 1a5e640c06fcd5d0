/** Provisional accounts, and the accounts of external identities. */
import type Database from 'libsql'
import type { Clock } from './clock.js'
import { fieldsOf, textOf } from '../foundation/values.js'
import { Snowflakes } from './snowflakes.js'

/** Identity in another system: a platform, or the game's own accounts. */
export interface Identity {
  type: string
  subject: string
}

/** Provisional account, created by a game. */
export interface ProvisionalAccount {
  id: string
  username: string
  globalName: string | null
}

export class Accounts {
  readonly #database: Database.Database
  readonly #clock: Clock
  readonly #snowflakes: Snowflakes
  /** Identities whose lock has already been reported. */
  #unlocked = new Set<string>()

  constructor(database: Database.Database, clock: Clock) {
    this.#database = database
    this.#clock = clock
    const { largest } = fieldsOf(
      database.prepare('SELECT CAST(MAX(CAST(id AS INTEGER)) AS TEXT) AS largest FROM account').get(),
    )
    this.#snowflakes = new Snowflakes(BigInt(textOf(largest) ?? 0))
  }

  find(id: string): ProvisionalAccount | undefined {
    const row = fieldsOf(
      this.#database.prepare('SELECT id, username, global_name FROM account WHERE id = ?').get(id),
    )
    const username = textOf(row['username'])
    return username === undefined
      ? undefined
      : { id, username, globalName: textOf(row['global_name']) ?? null }
  }

  /** Id of the account of an identity, provisional or not. */
  ownerOf({ type, subject }: Identity): string | undefined {
    const row = this.#database
      .prepare('SELECT account_id FROM identity WHERE type = ? AND subject = ?')
      .get(type, subject)
    return textOf(fieldsOf(row)['account_id'])
  }

  create(globalName: string | null): ProvisionalAccount {
    const id = this.#snowflakes.next(this.#clock.now())
    const account = { id, username: `guest-${BigInt(id).toString(36)}`, globalName }
    this.#database.prepare('INSERT INTO account VALUES (?, ?, ?)').run(id, account.username, globalName)
    return account
  }

  rename(id: string, globalName: string): void {
    this.#database.prepare('UPDATE account SET global_name = ? WHERE id = ?').run(globalName, id)
  }

  attach({ type, subject }: Identity, accountId: string): void {
    this.#database.prepare('INSERT OR REPLACE INTO identity VALUES (?, ?, ?)').run(type, subject, accountId)
  }

  /** Moves all identities to another account, and deletes the first. */
  merge(id: string, into: string): void {
    this.#database.prepare('UPDATE identity SET account_id = ? WHERE account_id = ?').run(into, id)
    this.#database.prepare('DELETE FROM account WHERE id = ?').run(id)
  }

  /** Detaches all identities from an account. */
  detach(accountId: string): void {
    this.#database.prepare('DELETE FROM identity WHERE account_id = ?').run(accountId)
  }

  /** Returns true at the first call for an identity. */
  meetsLock({ type, subject }: Identity): boolean {
    const met = this.#unlocked.has(`${type} ${subject}`)
    this.#unlocked.add(`${type} ${subject}`)
    return !met
  }

  clear(): void {
    this.#unlocked = new Set()
    this.#database.exec('DELETE FROM account; DELETE FROM identity')
  }
}
