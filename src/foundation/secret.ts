/** A value that must not be seen: it prints as `[secret]` everywhere and is opened by `reveal()` alone. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** The value itself. Hand it to the wire or to a vault, never to a log, an error or a URL. */
  reveal(): string {
    return this.#value
  }

  toString(): string {
    return '[secret]'
  }

  toJSON(): string {
    return '[secret]'
  }

  /** What Node prints for it, also deep inside another object. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[secret]'
  }
}

/** The text of a secret, or the text itself. What is neither is given back: who needs a text looks. By its shape, since a page may hold the SDK twice. */
export function reveal(value: Secret | string): string {
  return value instanceof Object && 'reveal' in value ? value.reveal() : value
}
