/** Programming interface of event webhooks (types only). */

/** One request to the backend, and its response. */
export interface EventAttempt {
  /** Epoch milliseconds of the emulator's clock. */
  at: number
  /** Status of the response; absent without one. */
  status?: number
  /** Reason why the attempt failed; absent if it succeeded. */
  refused?: string
  /** Duration in milliseconds. */
  ms: number
}

/** One event and its attempts. */
export interface EventDelivery {
  id: string
  /** For example `LOBBY_MESSAGE_CREATE`; `PING` for a probe of the address. */
  type: string
  data: unknown
  /** True if it was signed with a wrong key on purpose. */
  forged: boolean
  /** `pending`: another attempt follows. `refused`: no further attempt follows. */
  state: 'pending' | 'delivered' | 'refused'
  attempts: EventAttempt[]
}

/** Delivers the service's events to the backend. */
export interface EventControls {
  /** Address of the backend; undefined if there is none. */
  readonly url: string | undefined
  /**
   * Sets the address, after probing it: a forged PING must be refused with 401, and a PING answered with 204. Rejects with `endpoint_refused`
   * and the reason.
   */
  connect(url: string): Promise<void>
  /** Sends an event of any type; resolves after the first attempt. `forged`: signs it with a wrong key. */
  send(event: { type: string; data?: unknown; forged?: boolean | undefined }): Promise<EventDelivery>
  /** Sends a logged event once more, with a new signature; resolves after the attempt. */
  resend(id: string): Promise<EventDelivery>
  /** The last 200 events, oldest first. */
  list(): EventDelivery[]
}
