/** Lobbies of the application, read and changed through the page's server, which acts as the game's backend. */
import { signal } from '@preact/signals'
import { askPageServer } from '../../game/ask-page-server'

export interface ListedLobby {
  readonly id: string
  /** True if a player created it with a secret, false if the backend did. */
  readonly bySecret: boolean
  readonly isLinked: boolean
  /** Seconds without use until it closes. */
  readonly idleSeconds: number
  /** Characters of its metadata, keys and values. */
  readonly characters: number
  /** User ids. */
  readonly members: readonly string[]
  /** Epoch ms of the emulator's clock; absent if it does not close by itself. */
  readonly closesAt?: number
}

/** ms between two readings while the list is shown. */
const INTERVAL = 2000

export class ApplicationLobbies {
  readonly list = signal<readonly ListedLobby[]>([])
  /** Reason why the last action or reading failed; empty if it did not. */
  readonly fault = signal('')
  /** Emulator's clock minus this machine's, in ms. */
  #ahead = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #isFollowing = false

  /** Reads the list now, and again and again until `stop`. */
  follow(): void {
    this.#isFollowing = true
    void this.#readAgain()
  }

  stop(): void {
    this.#isFollowing = false
    clearTimeout(this.#timer)
  }

  /** ms until the lobby closes if nobody uses it. */
  timeLeft({ closesAt = Infinity }: ListedLobby): number {
    return closesAt - Date.now() - this.#ahead
  }

  /** @param idle seconds, as typed in. */
  create(members: readonly string[], idle: string): Promise<boolean> {
    return this.#act('create', { members, idle: Number(idle) })
  }

  add(lobby: string, user: string): Promise<boolean> {
    return this.#act('add', { lobby, user })
  }

  remove(lobby: string, user: string): Promise<boolean> {
    return this.#act('remove', { lobby, user })
  }

  delete(lobby: string): Promise<boolean> {
    return this.#act('delete', { lobby })
  }

  /** Resolves with true if it was done, after the list was read. */
  async #act(name: 'create' | 'add' | 'remove' | 'delete', body: object): Promise<boolean> {
    try {
      await askPageServer(`lobby_${name}`, body)
      await this.#read()
      this.fault.value = ''
      return true
    } catch (error) {
      this.fault.value = error instanceof Error ? error.message : String(error)
      return false
    }
  }

  async #readAgain(): Promise<void> {
    // A page that is not visible shows nothing; a service that is down is reported above every screen.
    if (!document.hidden) await this.#read().catch(() => undefined)
    // Of two readings at the same time one goes on.
    clearTimeout(this.#timer)
    if (this.#isFollowing) this.#timer = setTimeout(() => void this.#readAgain(), INTERVAL)
  }

  async #read(): Promise<void> {
    const { now, lobbies } = await askPageServer<{ now: number; lobbies: readonly ListedLobby[] }>(
      'lobby_list',
    )
    this.#ahead = now - Date.now()
    this.list.value = lobbies
  }
}
