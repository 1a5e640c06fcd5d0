/** Cookie store of one scripted sign-in. */

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
      const path = attributes.find((attribute) => attribute.toLowerCase().startsWith('path='))?.slice(5) ?? '/'
      if (value === '') this.#cookies.delete(`${name} ${path}`)
      else this.#cookies.set(`${name} ${path}`, { name, value, path })
    }
  }

  header(path: string): string {
    const matching = [...this.#cookies.values()].filter((cookie) => path.startsWith(cookie.path))
    return matching.map(({ name, value }) => `${name}=${value}`).join('; ')
  }
}
