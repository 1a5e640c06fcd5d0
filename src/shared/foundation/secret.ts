/** A value that must not be shown: it prints as `[secret]` everywhere and only `reveal()` returns it. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** The value itself. Send it to the service or store it encrypted; never put it into a log, an error or a URL. */
  reveal(): string {
    return this.#value
  }

  /** Returns `[secret]`. */
  toString(): string {
    return '[secret]'
  }

  /** Returns `[secret]`. */
  toJSON(): string {
    return '[secret]'
  }

  /** Vue makes no proxy of an object with a tag: `reveal` would throw on one. */
  protected get [Symbol.toStringTag](): string {
    return 'Secret'
  }

  /** Printed by Node's `util.inspect`, also when the secret is nested in another object. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[secret]'
  }
}

/**
 * The string of a secret, or the string itself. Any other value is returned as it is, for the caller to check. Secrets are recognized by
 * shape, since a page may load the SDK twice.
 */
export function reveal(value: Secret | string): string {
  return value instanceof Object && 'reveal' in value ? value.reveal() : value
}
