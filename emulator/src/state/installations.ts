/** Remembers where the application was installed, and by whom. */
import type Database from 'libsql'

export const guildInstall = 0
export const userInstall = 1

export interface Installation {
  applicationId: string
  integrationType: typeof guildInstall | typeof userInstall
  /** The guild, or for a user installation the player. */
  ownerId: string
  userId: string
  scope: string
  permissions: string | null
}

export class Installations {
  readonly #database: Database.Database

  constructor(database: Database.Database) {
    this.#database = database
  }

  add(installation: Installation): void {
    const { applicationId, integrationType, ownerId, userId, scope, permissions } = installation
    this.#database
      .prepare('INSERT OR REPLACE INTO installation VALUES (?, ?, ?, ?, ?, ?, ?)')
      .run(applicationId, integrationType, ownerId, userId, scope, permissions, Date.now())
  }

  clear(): void {
    this.#database.exec('DELETE FROM installation')
  }
}
