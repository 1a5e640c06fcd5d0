/** Notices a component that makes another secret with each render. React throws such a render away, since nothing else has changed. */
import { showFinding } from '../../shared/foundation/show-finding'
import { type LogEntry, warnInConsole } from '../../shared/foundation/log-entry'

/** Renders in a row with another secret each. The first one, a change by the game, and one more. */
const MANY = 3

const FINDING: LogEntry = {
  level: 'warn',
  step: 'lobby.changing_secret',
  data: {
    remedy:
      'The secret of useLobby changes with each render: keep it with const [secret] = useState(() => crypto.randomUUID())',
  },
}

/** The secrets that one component has rendered with. */
export class RenderedSecrets {
  #last: unknown
  #changes = 0
  #isTold = false

  add(secret: unknown): void {
    this.#changes = secret === this.#last ? 0 : this.#changes + 1
    this.#last = secret
  }

  /** True once, when the secret has changed with each of the last renders. Call it after a render that the lobby has caused. */
  takeFault(): boolean {
    if (this.#isTold || this.#changes < MANY) return false
    this.#isTold = true
    return true
  }
}

/** Shows the fault in the developer panel and in the console. */
export function tellChangingSecret(): void {
  showFinding(FINDING)
  warnInConsole(FINDING.level, FINDING.step, FINDING.data)
}
