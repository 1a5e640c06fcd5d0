/** Images that players upload for a game, in memory. */
import { randomBytes } from 'node:crypto'

export interface HostImage {
  type: string
  bytes: Buffer
}

const CAPACITY = 50

export class HostImages {
  readonly #images = new Map<string, HostImage>()

  /** Returns the id of the image. */
  add(image: HostImage): string {
    const id = randomBytes(12).toString('hex')
    this.#images.set(id, image)
    for (const oldest of [...this.#images.keys()].slice(0, -CAPACITY)) this.#images.delete(oldest)
    return id
  }

  find(id: string): HostImage | undefined {
    return this.#images.get(id)
  }

  clear(): void {
    this.#images.clear()
  }
}
