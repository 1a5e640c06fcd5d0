/** Compares commands with those of the emulator, and registers them: by the page's own server, which has the bot token. */
import { askPageServer } from '../game/ask-page-server'

export interface DeployResult {
  /** The plan in words, one line for each step. */
  readonly plan: string
  /** Requests that were sent; absent for a plan alone. */
  readonly requests?: number
}

/** @throws Error with the reason of the service or the server. */
export function deploy(action: 'plan' | 'sync', commands: readonly unknown[]): Promise<DeployResult> {
  return askPageServer(action, { commands })
}
