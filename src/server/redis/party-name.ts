/** Name of this process in the store. It changes after an outage, so that leases whose grant or settlement was lost in it are freed. */
import { randomText } from '../../shared/foundation/crypto'

export class PartyName {
  #current = newName()
  #former: readonly string[] = []
  #isInDoubt = false

  /** Name for new leases. */
  get current(): string {
    return this.#current
  }

  /** Earlier names that the store does not know to be former ones. */
  get former(): readonly string[] {
    return this.#former
  }

  /** A command failed: leases may be held that nobody will settle. */
  onDoubt(): void {
    this.#isInDoubt = true
  }

  /** A command succeeded. The first one after an outage changes the name. */
  onSuccess(): void {
    if (!this.#isInDoubt) return
    this.#isInDoubt = false
    this.#former = [...this.#former, this.#current]
    this.#current = newName()
  }

  /** The store has recorded these names as former ones. */
  onRetired(names: readonly string[]): void {
    this.#former = this.#former.filter((name) => !names.includes(name))
  }
}

const newName = () => randomText().slice(0, 12)
