/** Invitation of a deep link until the game takes it. */
export class PendingInvitation {
  #secret: string | undefined

  /** The latest one counts. */
  receive(secret: string): void {
    this.#secret = secret
  }

  /** Returns the secret once. */
  take(): string | undefined {
    const secret = this.#secret
    this.#secret = undefined
    return secret
  }

  /** The player is in the lobby of this secret. */
  forget(secret: string): void {
    if (this.#secret === secret) this.#secret = undefined
  }
}
