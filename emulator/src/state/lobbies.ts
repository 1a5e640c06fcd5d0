/** Tables of lobbies, members and messages; the reason why a lobby ended is stored for a day. */
import type Database from 'libsql'
import { fieldsOf, isObject, textOf } from '../foundation/values.js'
import { memberChanges } from '../model/member-changes.js'
import type { Lobby, LobbyMember, LobbyMessage, Metadata } from '../model/lobby.js'
import { Snowflakes } from './snowflakes.js'
import { Table } from './table.js'

/** Digest and expiry of a lobby's secret. */
export interface LobbySecret {
  digest: string
  /** Epoch milliseconds. */
  ends: number
}

const DAY = 86_400_000
const LARGEST_ID = `SELECT CAST(MAX(given) AS TEXT) AS largest FROM (
  SELECT CAST(id AS INTEGER) AS given FROM lobby UNION ALL SELECT CAST(id AS INTEGER) FROM lobby_message
)`

export class Lobbies {
  readonly #table: Table
  readonly #snowflakes: Snowflakes
  /** Cache of lobbies that were read. */
  readonly #open = new Map<string, Lobby>()

  constructor(database: Database.Database) {
    this.#table = new Table(database)
    this.#snowflakes = new Snowflakes(BigInt(textOf(this.#table.row(LARGEST_ID)['largest']) ?? 0))
  }

  nextId(now: number): string {
    return this.#snowflakes.next(now)
  }

  find(id: string): Lobby | undefined {
    const lobby = this.#open.get(id) ?? this.#read(id)
    if (lobby !== undefined) this.#open.set(id, lobby)
    return lobby
  }

  /** Reason why a lobby ended, for a day; undefined if it never existed. */
  endReason(id: string): string | undefined {
    return textOf(this.#table.row('SELECT ended FROM lobby WHERE id = ?', [id])['ended'])
  }

  findBySecret(applicationId: string, digest: string, now: number): string | undefined {
    const query =
      'SELECT id FROM lobby WHERE application_id = ? AND secret = ? AND secret_ends > ? AND ended IS NULL'
    return textOf(this.#table.row(query, [applicationId, digest, now])['id'])
  }

  findByChannel(channelId: string): string | undefined {
    return textOf(
      this.#table.row('SELECT id FROM lobby WHERE channel_id = ? AND ended IS NULL', [channelId])['id'],
    )
  }

  /** Ids of the lobbies of a player, for one application or all. */
  of(userId: string, applicationId?: string): string[] {
    const query =
      'SELECT id FROM lobby JOIN lobby_member ON lobby_id = id WHERE user_id = ? AND application_id = coalesce(?, application_id) ORDER BY id'
    return this.#table.rows(query, [userId, applicationId ?? null]).map(({ id }) => String(id))
  }

  add(
    lobby: Lobby,
    { secret, deadline }: { secret: LobbySecret | undefined; deadline: number | null },
  ): void {
    const { id, applicationId, idleSeconds, channelId } = lobby
    const hidden = [secret?.digest ?? null, secret?.ends ?? null]
    this.#table.transaction(() => {
      this.#table.run(
        'INSERT INTO lobby (id, application_id, metadata, idle_seconds, secret, secret_ends, channel_id, deadline) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
        [id, applicationId, JSON.stringify(lobby.metadata), idleSeconds, ...hidden, channelId, deadline],
      )
      this.#changeMembers(id, [], lobby.members)
    })
    this.#open.set(id, lobby)
  }

  change(before: Lobby, after: Lobby, deadline: number | null): void {
    const { id, metadata, idleSeconds, channelId } = after
    this.#table.transaction(() => {
      this.#table.run(
        'UPDATE lobby SET metadata = ?, idle_seconds = ?, channel_id = ?, deadline = ? WHERE id = ?',
        [JSON.stringify(metadata), idleSeconds, channelId, deadline, id],
      )
      this.#changeMembers(id, before.members, after.members)
    })
    this.#open.set(id, after)
  }

  end(id: string, { why, now }: { why: string; now: number }): void {
    const gone = 'SET ended = ?, ended_at = ?, deadline = NULL, secret = NULL, channel_id = NULL'
    this.#table.transaction(() => {
      this.#table.run(`UPDATE lobby ${gone} WHERE id = ?`, [why, now, id])
      this.#table.run('DELETE FROM lobby_member WHERE lobby_id = ?', [id])
      this.#table.run('DELETE FROM lobby_message WHERE lobby_id = ?', [id])
      this.#table.run('DELETE FROM lobby WHERE ended_at < ?', [now - DAY])
    })
    this.#open.delete(id)
  }

  /** Open lobbies with their members, newest first, and the time at which each closes if nobody uses it. */
  list(): { lobby: Lobby; closesAt: number | undefined }[] {
    const rows = this.#table.rows(
      'SELECT id, deadline FROM lobby WHERE ended IS NULL ORDER BY id DESC LIMIT 500',
    )
    return rows.flatMap(({ id, deadline }) => {
      const lobby = this.find(String(id))
      return lobby ? [{ lobby, closesAt: typeof deadline === 'number' ? deadline : undefined }] : []
    })
  }

  /** Ids of the lobbies whose deadline has passed. */
  overdue(now: number): string[] {
    return this.#table
      .rows('SELECT id FROM lobby WHERE deadline <= ? ORDER BY deadline', [now])
      .map(({ id }) => String(id))
  }

  /** The earliest idle deadline. */
  nextDeadline(): number | undefined {
    const { next } = this.#table.row('SELECT MIN(deadline) AS next FROM lobby')
    return typeof next === 'number' ? next : undefined
  }

  putMessage(message: LobbyMessage, created: number): void {
    const values = [message.id, message.lobbyId, created, JSON.stringify(message)]
    this.#table.run('INSERT OR REPLACE INTO lobby_message VALUES (?, ?, ?, ?)', values)
  }

  message(lobbyId: string, id: string): { message: LobbyMessage; created: number } | undefined {
    const { body, created } = this.#table.row(
      'SELECT body, created FROM lobby_message WHERE lobby_id = ? AND id = ?',
      [lobbyId, id],
    )
    const message = messageOf(body)
    return message && { message, created: Number(created) }
  }

  /** Returns the latest messages, newest first; deletes those from before `since`. */
  messages(lobbyId: string, { since, limit }: { since: number; limit: number }): LobbyMessage[] {
    this.#table.run('DELETE FROM lobby_message WHERE created < ?', [since])
    const query =
      'SELECT body FROM lobby_message WHERE lobby_id = ? ORDER BY CAST(id AS INTEGER) DESC LIMIT ?'
    return this.#table.rows(query, [lobbyId, limit]).flatMap(({ body }) => messageOf(body) ?? [])
  }

  /** Drops the cache, after the tables were replaced. */
  reload(): void {
    this.#open.clear()
  }

  clear(): void {
    this.#open.clear()
    for (const table of ['lobby', 'lobby_member', 'lobby_message']) this.#table.run(`DELETE FROM ${table}`)
  }

  #read(id: string): Lobby | undefined {
    const row = this.#table.row('SELECT * FROM lobby WHERE id = ? AND ended IS NULL', [id])
    if (textOf(row['id']) === undefined) return undefined
    return {
      id,
      applicationId: String(row['application_id']),
      metadata: metadataOf(row['metadata']),
      idleSeconds: Number(row['idle_seconds']),
      bySecret: row['secret'] !== null,
      channelId: textOf(row['channel_id']) ?? null,
      members: this.#table
        .rows('SELECT user_id, body FROM lobby_member WHERE lobby_id = ? ORDER BY rowid', [id])
        .map(({ user_id, body }) => memberOf(String(user_id), body)),
    }
  }

  #changeMembers(lobbyId: string, before: readonly LobbyMember[], after: readonly LobbyMember[]): void {
    const { added, updated, removed } = memberChanges(before, after)
    for (const { userId, ...body } of [...added, ...updated])
      this.#table.run(
        'INSERT INTO lobby_member VALUES (?1, ?2, ?3) ON CONFLICT (lobby_id, user_id) DO UPDATE SET body = ?3',
        [lobbyId, userId, JSON.stringify(body)],
      )
    for (const { userId } of removed)
      this.#table.run('DELETE FROM lobby_member WHERE lobby_id = ? AND user_id = ?', [lobbyId, userId])
  }
}

function memberOf(userId: string, body: unknown): LobbyMember {
  const { metadata, flags, additionalName } = fieldsOf(JSON.parse(String(body)))
  return {
    userId,
    metadata: isMetadata(metadata) ? metadata : null,
    flags: Number(flags),
    additionalName: textOf(additionalName) ?? null,
  }
}

function metadataOf(value: unknown): Metadata {
  const metadata: unknown = JSON.parse(String(value))
  return isMetadata(metadata) ? metadata : null
}

function messageOf(body: unknown): LobbyMessage | undefined {
  const message: unknown = typeof body === 'string' ? JSON.parse(body) : undefined
  return isMessage(message) ? message : undefined
}

/** Parsed without validation: only this class writes these rows. */
function isMetadata(value: unknown): value is Record<string, string> {
  return isObject(value)
}

function isMessage(value: unknown): value is LobbyMessage {
  return isObject(value)
}
