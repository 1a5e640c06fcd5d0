/** Compares commands with those of the emulator, and registers them: by the page's own server, which has the bot token. */

export interface DeployResult {
  /** The plan in words, one line for each step. */
  readonly plan: string
  /** Requests that were sent; absent for a plan alone. */
  readonly requests?: number
}

/** @throws Error with the reason of the service or the server. */
export async function deploy(action: 'plan' | 'sync', commands: readonly unknown[]): Promise<DeployResult> {
  const response = await fetch(`commands/${action}`, { method: 'POST', body: JSON.stringify({ commands }) }).catch(() => undefined)
  if (!response) throw new Error('The server of this page does not answer.')
  const body: DeployResult & { message?: string } = await response.json()
  if (!response.ok) throw new Error(body.message ?? `status ${response.status}`)
  return body
}
