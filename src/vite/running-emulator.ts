/** Controls of an emulator, which the SDK does not depend on. */

/** Members of a running emulator that the plugin uses. */
export interface RunningEmulator {
  readonly url: string
  readonly application: { readonly id: string }
  readonly users: readonly { readonly id: string; readonly username: string }[]
  readonly requests: readonly { method: string; path: string; status: number; rule?: string }[]
  limits(): { limits: Readonly<Record<string, { limit: number; uses: { key: string; used: number }[] } | null>> }
  faults(rules: object | readonly object[]): unknown
  tokens(request: { user: string; action: 'expire' | 'revoke' }): void
  snapshot(): object
  restore(snapshot: object): void
  close(): Promise<void>
}
