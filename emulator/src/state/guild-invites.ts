/** Tables of one-time invitations to guilds, and of the members who joined with one. */
import type Database from 'libsql'
import { Table } from './table.js'

/** Invitation of one player to a guild. */
export interface GuildInvite {
  code: string
  guildId: string
  userId: string
  /** Epoch ms. */
  expires: number
}

export class GuildInvites {
  readonly #table: Table

  constructor(database: Database.Database) {
    this.#table = new Table(database)
  }

  /** Adds an invitation, and deletes those that have expired. */
  add({ code, guildId, userId, expires }: GuildInvite, now: number): void {
    this.#table.run('DELETE FROM guild_invite WHERE expires <= ?', [now])
    this.#table.run('INSERT INTO guild_invite VALUES (?, ?, ?, ?)', [code, guildId, userId, expires])
  }

  /** Finds an invitation that is valid. */
  find(code: string, now: number): GuildInvite | undefined {
    const row = this.#table.row('SELECT * FROM guild_invite WHERE code = ? AND expires > ?', [code, now])
    if (row['code'] === undefined) return undefined
    return {
      code,
      guildId: String(row['guild_id']),
      userId: String(row['user_id']),
      expires: Number(row['expires']),
    }
  }

  /** Uses up an invitation; its player is a member from now on. */
  accept({ code, guildId, userId }: GuildInvite): void {
    this.#table.transaction(() => {
      this.#table.run('DELETE FROM guild_invite WHERE code = ?', [code])
      this.#table.run('INSERT OR IGNORE INTO guild_joined VALUES (?, ?)', [guildId, userId])
    })
  }

  /** Members who joined by invitation. */
  joined(): { guildId: string; userId: string }[] {
    const rows = this.#table.rows('SELECT * FROM guild_joined')
    return rows.map((row) => ({ guildId: String(row['guild_id']), userId: String(row['user_id']) }))
  }

  clear(): void {
    this.#table.run('DELETE FROM guild_invite')
    this.#table.run('DELETE FROM guild_joined')
  }
}
