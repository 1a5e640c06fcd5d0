/** Table of installations of the application. */
import type Database from 'libsql'
import type { Clock } from './clock.js'
import { fieldsOf, textOf } from '../foundation/values.js'

export const GUILD_INSTALL = 0
export const USER_INSTALL = 1

export interface Installation {
  applicationId: string
  integrationType: typeof GUILD_INSTALL | typeof USER_INSTALL
  /** Id of the guild, or of the player for a user installation. */
  ownerId: string
  userId: string
  scope: string
  permissions: string | null
}

export class Installations {
  readonly #database: Database.Database
  readonly #clock: Clock

  constructor(database: Database.Database, clock: Clock) {
    this.#database = database
    this.#clock = clock
  }

  add(installation: Installation): void {
    const { applicationId, integrationType, ownerId, userId, scope, permissions } = installation
    this.#database
      .prepare('INSERT OR REPLACE INTO installation VALUES (?, ?, ?, ?, ?, ?, ?)')
      .run(applicationId, integrationType, ownerId, userId, scope, permissions, this.#clock.now())
  }

  /** Oldest first. */
  list(): Installation[] {
    const rows = this.#database.prepare('SELECT * FROM installation ORDER BY created, rowid').all()
    return rows.map((row) => {
      const { application_id, integration_type, owner_id, user_id, scope, permissions } = fieldsOf(row)
      return {
        applicationId: String(application_id),
        integrationType: integration_type === USER_INSTALL ? USER_INSTALL : GUILD_INSTALL,
        ownerId: String(owner_id),
        userId: String(user_id),
        scope: String(scope),
        permissions: textOf(permissions) ?? null,
      }
    })
  }

  clear(): void {
    this.#database.exec('DELETE FROM installation')
  }
}
