/** Table of codes, tokens, grants and sessions. Ended ones stay for a while, so that errors can name the reason. */
import type Database from 'libsql'
import type { Clock } from './clock.js'
import { fieldsOf, isObject, textOf } from '../foundation/values.js'

/** Kinds that are kept after they ended; others are deleted. */
const REMEMBERED = new Set([
  'AccessToken',
  'ClientCredentials',
  'RefreshToken',
  'AuthorizationCode',
  'DeviceCode',
])
const DAY = 86_400

/** The provider's record of a code, a token, a grant or a session. */
export interface Payload {
  accountId?: string | undefined
  clientId?: string | undefined
  grantId?: string | undefined
  uid?: string | undefined
  userCode?: string | undefined
  /** Epoch seconds. */
  exp?: number | undefined
  [field: string]: unknown
}

interface Row {
  payload: string
  ended: string | null
}

/** Valid tokens of one kind that a player has. */
export interface TokenCount {
  player: string
  kind: 'access' | 'refresh'
  count: number
  /** Epoch milliseconds of the emulator's clock at which the first of them expires. */
  expiresAt?: number
}

/** Grant id of child applications' tokens. */
export function childGrant(grantId: string): string {
  return `${grantId}/child`
}

export class Records {
  readonly #database: Database.Database
  readonly #clock: Clock

  constructor(database: Database.Database, clock: Clock) {
    this.#database = database
    this.#clock = clock
  }

  put(kind: string, id: string, record: { payload: Payload; expires: number | null }): void {
    const { payload, expires } = record
    this.#database
      .prepare(
        'INSERT OR REPLACE INTO record (kind, id, payload, expires, grant_id, account_id, client_id, uid, user_code) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      )
      .run(
        kind,
        id,
        JSON.stringify(payload),
        expires,
        payload.grantId ?? null,
        payload.accountId ?? null,
        payload.clientId ?? null,
        payload.uid ?? null,
        payload.userCode ?? null,
      )
  }

  /** Finds expired records too: the caller compares the time, and can report "expired" instead of "unknown". */
  find(kind: string, id: string): Payload | undefined {
    return decode(this.#row('SELECT payload, ended FROM record WHERE kind = ? AND id = ?', kind, id))
  }

  findByUid(kind: string, uid: string): Payload | undefined {
    return decode(this.#row('SELECT payload, ended FROM record WHERE kind = ? AND uid = ?', kind, uid))
  }

  findByUserCode(kind: string, userCode: string): Payload | undefined {
    return decode(
      this.#row('SELECT payload, ended FROM record WHERE kind = ? AND user_code = ?', kind, userCode),
    )
  }

  consume(kind: string, id: string): void {
    const consume = this.#database.prepare(
      "UPDATE record SET payload = json_set(payload, '$.consumed', ?) WHERE kind = ? AND id = ?",
    )
    consume.run(this.#clock.seconds(), kind, id)
  }

  end(kind: string, id: string, why: string): void {
    if (!REMEMBERED.has(kind))
      this.#database.prepare('DELETE FROM record WHERE kind = ? AND id = ?').run(kind, id)
    else
      this.#database
        .prepare('UPDATE record SET ended = ? WHERE kind = ? AND id = ? AND ended IS NULL')
        .run(why, kind, id)
  }

  endGrant(kind: string, grantId: string, why: string): void {
    this.#database
      .prepare('UPDATE record SET ended = ? WHERE kind = ? AND grant_id IN (?, ?) AND ended IS NULL')
      .run(why, kind, grantId, childGrant(grantId))
  }

  /** Ends all codes, tokens and grants of a player, for one application or all. */
  endPlayer(accountId: string, { clientId, why }: { clientId?: string; why: string }): void {
    this.#database
      .prepare(
        'UPDATE record SET ended = ?1 WHERE account_id = ?2 AND client_id = coalesce(?3, client_id) AND ended IS NULL',
      )
      .run(why, accountId, clientId ?? null)
  }

  /** Ends the access tokens of a grant, except one. */
  endOthers(
    grantId: string,
    { except, clientId, why }: { except: string; clientId: string; why: string },
  ): void {
    this.#database
      .prepare(
        "UPDATE record SET ended = ? WHERE kind = 'AccessToken' AND grant_id = ? AND client_id = ? AND id <> ? AND ended IS NULL",
      )
      .run(why, grantId, clientId, except)
  }

  /** Expires a player's tokens of one kind. */
  expirePlayer(accountId: string, kind: 'AccessToken' | 'RefreshToken'): void {
    const now = this.#clock.seconds()
    this.#database
      .prepare(
        "UPDATE record SET expires = ?1, payload = json_set(payload, '$.exp', ?1) WHERE kind = ?2 AND account_id = ?3 AND ended IS NULL AND expires > ?1",
      )
      .run(now, kind, accountId)
  }

  /** Number of valid access and refresh tokens of each player, and when the first of them expires. */
  countTokens(): TokenCount[] {
    const rows: unknown[] = this.#database
      .prepare(
        "SELECT account_id AS player, kind, count(*) AS count, min(expires) AS expires FROM record WHERE kind IN ('AccessToken', 'RefreshToken') AND account_id IS NOT NULL AND ended IS NULL AND (expires IS NULL OR expires > ?) AND json_extract(payload, '$.consumed') IS NULL GROUP BY account_id, kind",
      )
      .all(this.#clock.seconds())
    return rows.map((row) => {
      const { player, kind, count, expires } = fieldsOf(row)
      const isAccess = kind === 'AccessToken'
      return {
        player: String(player),
        kind: isAccess ? 'access' : 'refresh',
        count: Number(count),
        ...(typeof expires === 'number' && { expiresAt: expires * 1000 }),
      }
    })
  }

  /** Reason why a record ended; undefined if it is valid or was never issued. */
  endReason(kind: string, id: string): string | undefined {
    return (
      this.#row('SELECT payload, ended FROM record WHERE kind = ? AND id = ?', kind, id)?.ended ?? undefined
    )
  }

  sweep(): void {
    this.#database.prepare('DELETE FROM record WHERE expires < ?').run(this.#clock.seconds() - DAY)
  }

  clear(): void {
    this.#database.exec('DELETE FROM record')
  }

  #row(query: string, ...values: string[]): Row | undefined {
    const row = fieldsOf(this.#database.prepare(query).get(...values))
    const payload = textOf(row['payload'])
    return payload === undefined ? undefined : { payload, ended: textOf(row['ended']) ?? null }
  }
}

function decode(row: Row | undefined): Payload | undefined {
  if (row === undefined || row.ended !== null) return undefined
  const payload: unknown = JSON.parse(row.payload)
  return isPayload(payload) ? payload : undefined
}

/** Parsed without validation: only the library writes these rows, and it validates what it reads. */
function isPayload(value: unknown): value is Payload {
  return isObject(value)
}
