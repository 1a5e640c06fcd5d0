/** Options of a call that can be cancelled. */

/** Options that every such call has. */
export interface CallOptions {
  /** Aborts the call, waiting or in progress, with `aborted`. */
  signal?: AbortSignal | undefined
}
