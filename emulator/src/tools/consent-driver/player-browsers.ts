/** Browsers of players: the cookies that the consent page has given to each. */

interface Cookie {
  name: string
  value: string
  path: string
}

export class CookieJar {
  readonly #cookies = new Map<string, Cookie>()

  /** Takes the values of `Set-Cookie`. */
  store(lines: readonly string[]): void {
    for (const line of lines) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      const path =
        attributes.find((attribute) => attribute.toLowerCase().startsWith('path='))?.slice(5) ?? '/'
      if (value === '') this.#cookies.delete(`${name} ${path}`)
      else this.#cookies.set(`${name} ${path}`, { name, value, path })
    }
  }

  header(path: string): string {
    const matching = [...this.#cookies.values()].filter((cookie) => path.startsWith(cookie.path))
    return matching.map(({ name, value }) => `${name}=${value}`).join('; ')
  }
}

/** By the id of the player. */
export class PlayerBrowsers {
  readonly #jars = new Map<string, CookieJar>()

  /**
   * An authorization without a page needs the cookies of the last one. Every other begins in a browser of its own, so that several at a
   * time do not concern each other.
   */
  open(playerId: string, { isSilent }: { isSilent: boolean }): CookieJar {
    const kept = isSilent ? this.#jars.get(playerId) : undefined
    return kept ?? new CookieJar()
  }

  /** Remembers the browser in which a player has approved last. */
  keep(playerId: string, jar: CookieJar): void {
    this.#jars.set(playerId, jar)
  }
}
