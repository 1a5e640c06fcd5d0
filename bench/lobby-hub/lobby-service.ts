/** Service that returns lobbies of twenty members, and counts reads. */
import { createServer, type Server } from 'node:http'

export const APPLICATION = '1082700000000000001'
export const MEMBERS = 20
const LOBBY = 900_000_000_000_000_000n
const PLAYER = 100_000_000_000_000_000n

export const lobbyId = (index: number): string => String(LOBBY + BigInt(index))
export const playerId = (index: number): string => String(PLAYER + BigInt(index))
/** Lobby of a player. */
export const lobbyOf = (player: number): number => Math.floor(player / MEMBERS)

export class LobbyService {
  /** Times of all reads, in ms. */
  readonly reads: number[] = []
  /** Time of the last change by lobby. */
  readonly changedAt = new Map<string, number>()
  readonly #server: Server

  constructor() {
    this.#server = createServer((request, response) => {
      this.reads.push(performance.now())
      const id = /\/lobbies\/(\d+)/.exec(request.url ?? '')?.[1] ?? ''
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(this.#lobby(id)))
    })
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

  #lobby(id: string) {
    const first = Number(BigInt(id) - LOBBY) * MEMBERS
    const members = Array.from({ length: MEMBERS }, (_, index) => ({ id: playerId(first + index), metadata: { team: 'red' }, flags: 0 }))
    return { id, application_id: APPLICATION, metadata: { at: String(this.changedAt.get(id) ?? 0) }, members }
  }
}
