/** Service that returns lobbies, and counts reads. */
import { createServer, type Server } from 'node:http'

export const APPLICATION = '1082700000000000001'
const LOBBY = 900_000_000_000_000_000n
const PLAYER = 100_000_000_000_000_000n
/** ms: longer than the pauses between rounds, so that no connection ends just when it is used again. */
const KEEP_ALIVE = 60_000

export const lobbyId = (index: number): string => String(LOBBY + BigInt(index))
export const playerId = (index: number): string => String(PLAYER + BigInt(index))

/** Players in lobbies of equal size. With more lobbies than players, each player is alone in several. */
export interface Population {
  readonly players: number
  readonly lobbies: number
}

/** Indexes of the members of a lobby. */
export function membersOf({ players, lobbies }: Population, lobby: number): number[] {
  if (lobbies >= players) return [lobby % players]
  const size = players / lobbies
  return Array.from({ length: size }, (_, index) => lobby * size + index)
}

/** Indexes of the lobbies of a player. */
export function lobbiesOf({ players, lobbies }: Population, player: number): number[] {
  if (lobbies < players) return [Math.floor(player / (players / lobbies))]
  return Array.from({ length: lobbies / players }, (_, index) => player + index * players)
}

export class LobbyService {
  /** Times of all reads, in ms. */
  readonly reads: number[] = []
  /** Time of the last change by lobby, as text. */
  readonly changedAt = new Map<string, string>()
  readonly #server: Server

  constructor(population: Population) {
    this.#server = createServer((request, response) => {
      this.reads.push(performance.now())
      const id = /\/lobbies\/(\d+)/.exec(request.url ?? '')?.[1] ?? ''
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(this.#lobby(id, population)))
    })
    this.#server.keepAliveTimeout = KEEP_ALIVE
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => void this.#server.listen(0, '127.0.0.1', resolve))
    const address = this.#server.address()
    if (typeof address !== 'object' || !address) throw new Error('No port.')
    return `http://127.0.0.1:${address.port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => void this.#server.close(resolve))
  }

  /** Largest number of reads in any 10 s. */
  get mostReads(): number {
    let [first, most] = [0, 0]
    for (const [index, at] of this.reads.entries()) {
      while ((this.reads[first] ?? at) <= at - 10_000) first++
      most = Math.max(most, index - first + 1)
    }
    return most
  }

  #lobby(id: string, population: Population) {
    const indexes = membersOf(population, Number(BigInt(id) - LOBBY))
    const members = indexes.map((index) => ({ id: playerId(index), metadata: { team: 'red' }, flags: 0 }))
    return { id, application_id: APPLICATION, metadata: { at: this.changedAt.get(id) ?? '0' }, members }
  }
}
