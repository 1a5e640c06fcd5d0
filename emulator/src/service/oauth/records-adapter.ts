/** Storage adapter of the authorization server library: its records in SQLite, and its time. */
import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { Clock } from '../../state/clock.js'
import type { Records } from '../../state/records.js'

const TIMES = ['iat', 'exp', 'iiat', 'consumed', 'loginTs', 'authTime'] as const

/**
 * The library reads the machine's clock in many places and accepts no other. Records are therefore stored in the emulator's time and
 * returned in the machine's: comparisons in the library then see the correct elapsed time.
 */
export class RecordsAdapter implements Adapter {
  readonly #records: Records
  readonly #kind: string
  readonly #clock: Clock

  constructor(kind: string, { records, clock }: { records: Records; clock: Clock }) {
    this.#kind = kind
    this.#records = records
    this.#clock = clock
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const expires = expiresIn === undefined ? null : this.#clock.seconds() + expiresIn
    this.#records.put(this.#kind, id, { payload: shift(payload, this.#clock.aheadSeconds), expires })
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return this.#inMachineTime(this.#records.find(this.#kind, id))
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#inMachineTime(this.#records.findByUid(this.#kind, uid))
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.#inMachineTime(this.#records.findByUserCode(this.#kind, userCode))
  }

  async consume(id: string): Promise<void> {
    this.#records.consume(this.#kind, id)
  }

  async destroy(id: string): Promise<void> {
    this.#records.end(this.#kind, id, 'it was revoked')
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    this.#records.endGrant(
      this.#kind,
      grantId,
      'its grant was ended, because a code or refresh token of that grant was used twice',
    )
  }

  #inMachineTime(payload: AdapterPayload | undefined): AdapterPayload | undefined {
    return payload && shift(payload, -this.#clock.aheadSeconds)
  }
}

function shift(payload: AdapterPayload, seconds: number): AdapterPayload {
  const shifted: AdapterPayload = { ...payload }
  for (const name of TIMES) {
    const time: unknown = payload[name]
    if (typeof time === 'number') shifted[name] = time + seconds
  }
  return shifted
}
