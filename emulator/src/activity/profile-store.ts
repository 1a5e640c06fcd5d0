/** Profile changes made by hand: display name, locale, and nicknames in guilds. `clear` restores the seed's values. */
import type { Player } from '../seed/seed.js'

export interface ProfileChange {
  globalName?: string | null | undefined
  locale?: string | undefined
}

export class ProfileStore {
  readonly #originals = new Map<Player, Pick<Player, 'globalName' | 'locale'>>()
  readonly #nicknames = new Map<string, string>()

  /** Changes the player for every part of the emulator. */
  change(player: Player, { globalName, locale }: ProfileChange): void {
    if (!this.#originals.has(player)) this.#originals.set(player, { globalName: player.globalName, locale: player.locale })
    if (globalName !== undefined) player.globalName = globalName
    if (locale !== undefined) player.locale = locale
  }

  setNickname(guildId: string, userId: string, nickname: string): void {
    this.#nicknames.set(`${guildId} ${userId}`, nickname)
  }

  nickname(guildId: string | undefined, userId: string): string | undefined {
    return guildId === undefined ? undefined : this.#nicknames.get(`${guildId} ${userId}`)
  }

  clear(): void {
    for (const [player, original] of this.#originals) Object.assign(player, original)
    this.#originals.clear()
    this.#nicknames.clear()
  }
}
