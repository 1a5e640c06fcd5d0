/** Joins the authorization server library to the records in SQLite. */
import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { Records } from '../state/records.js'

export class RecordsAdapter implements Adapter {
  readonly #records: Records
  readonly #kind: string

  constructor(kind: string, records: Records) {
    this.#kind = kind
    this.#records = records
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const expires = expiresIn === undefined ? null : Math.floor(Date.now() / 1000) + expiresIn
    this.#records.put(this.#kind, id, { payload, expires })
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return this.#records.find(this.#kind, id)
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#records.findByUid(this.#kind, uid)
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.#records.findByUserCode(this.#kind, userCode)
  }

  async consume(id: string): Promise<void> {
    this.#records.consume(this.#kind, id)
  }

  async destroy(id: string): Promise<void> {
    this.#records.end(this.#kind, id, 'it was revoked')
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    this.#records.endGrant(this.#kind, grantId, 'its grant was ended, because a code or refresh token of that grant was used twice')
  }
}
