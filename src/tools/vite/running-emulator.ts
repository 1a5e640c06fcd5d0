/** Controls of an emulator, which the SDK does not depend on. */

export interface LoggedRequest {
  readonly method: string
  readonly path: string
  /** 0 if the connection closed before the response had a status. */
  readonly status: number
  /** User name. */
  readonly player?: string
  readonly rule?: string
  /** True for the emulator's own pages. */
  readonly ownPage?: boolean
}

/** Members of a running emulator that the plugin uses. */
export interface RunningEmulator {
  readonly url: string
  readonly application: { readonly id: string }
  readonly users: readonly {
    readonly id: string
    readonly username: string
    readonly globalName: string | null
  }[]
  readonly controlToken: string
  /** Host page of the Activity, if the game's address is known. */
  readonly activity: { readonly url: string | undefined }
  readonly requests: readonly LoggedRequest[]
  limits(): {
    limits: Readonly<Record<string, { limit: number; uses: { key: string; used: number }[] } | null>>
  }
  faults(rules: object | readonly object[]): unknown
  tokens(request: { user: string; action: 'expire' | 'revoke' }): void
  snapshot(): object
  restore(snapshot: object): void
  close(): Promise<void>
}
