/** Text coders that are created when they are used. In classic scripts they replace the globals, which Jest with jsdom lacks when it loads a script. */

export class LateTextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer> {
    return new globalThis.TextEncoder().encode(text)
  }
}

export class LateTextDecoder {
  readonly #args: ConstructorParameters<typeof TextDecoder>

  constructor(...args: ConstructorParameters<typeof TextDecoder>) {
    this.#args = args
  }

  decode(bytes?: AllowSharedBufferSource): string {
    return new globalThis.TextDecoder(...this.#args).decode(bytes)
  }
}
