/** Text coders that are created when they are used. In classic scripts they replace the globals, which Jest with jsdom lacks when it loads a script. */

export class LateTextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer> {
    return new globalThis.TextEncoder().encode(text)
  }
}

export class LateTextDecoder {
  readonly #args: ConstructorParameters<typeof TextDecoder>
  #decoder: TextDecoder | undefined

  constructor(...args: ConstructorParameters<typeof TextDecoder>) {
    this.#args = args
  }

  /** Keeps its decoder: a character may be divided between two calls. */
  decode(bytes?: AllowSharedBufferSource, options?: TextDecodeOptions): string {
    this.#decoder ??= new globalThis.TextDecoder(...this.#args)
    return this.#decoder.decode(bytes, options)
  }
}
