/** Turns of the streams to one host over HTTP/1.1, in all tabs and frames of an origin, whoever plays there: calls need connections too. */
import type { Clock } from '../../shared/foundation/clock'

/** Of the six connections that a browser opens to a host, those that streams may use. */
const STREAMS = 4
/** ms after which a stream that others wait for gives up its place. */
const TURN = 5000

export interface TurnOptions {
  readonly locks: LockManager
  readonly clock: Clock
  readonly url: string
}

export interface Turn {
  /** Ends the connection: another stream waits for its place. */
  readonly end: () => void
  readonly signal: AbortSignal
}

/** Runs a connection in its turn. */
export type TakeTurn = <Result>(connect: () => Promise<Result>, turn: Turn) => Promise<Result | undefined>

export function createTurns({ locks, clock, url }: TurnOptions): TakeTurn {
  const names = Array.from(
    { length: STREAMS },
    (_, place) => `foyer:stream-place ${new URL(url).origin} ${place}`,
  )
  const isWantedBy = async (name: string): Promise<boolean> =>
    ((await locks.query()).pending ?? []).some((each) => each.name === name)
  return async (connect, { end, signal }) => {
    const started: ReturnType<typeof connect>[] = []
    const run = (name: string) => {
      const connection = connect()
      started.push(connection)
      return connection.finally(repeat(clock, async () => (await isWantedBy(name)) && end()))
    }
    for (const name of names) {
      await locks.request(name, { ifAvailable: true }, (lock) => lock && run(name)).catch(ignore)
      if (started[0]) return started[0]
    }
    const name = names[Math.floor(Math.random() * STREAMS)] ?? ''
    await locks.request(name, { signal }, () => run(name)).catch(ignore)
    // Without a connection, locks are forbidden here.
    return started[0] ?? (signal.aborted ? undefined : connect())
  }
}

const ignore = (): undefined => undefined

/** Returns a function that ends the repetition. */
function repeat(clock: Clock, check: () => Promise<unknown>): () => void {
  let cancel: (() => void) | undefined
  const schedule = () => {
    cancel = clock.after(TURN, () => {
      void check().catch(ignore)
      schedule()
    })
  }
  schedule()
  return () => cancel?.()
}
