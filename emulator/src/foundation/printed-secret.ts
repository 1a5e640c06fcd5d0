/** Secrets of the SDK that a program has turned into text: each prints as `[secret]`, and the service would only say that it is wrong. */

/** The rule about such a text; undefined for any other value. `name` is what the request calls it. */
export function printedSecret(value: unknown, name: string): string | undefined {
  if (typeof value !== 'string' || !value.includes('[secret]')) return undefined
  return `${name} is the text [secret]: send its reveal(), or call client.backend.fetch, which sends the token itself`
}
