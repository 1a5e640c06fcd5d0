/** Contract of the screen "Check your setup": the checks that the page may start, and their reports. */
import type { IpcReport, LoopbackReport, SchemeReport, StorageReport } from 'foyer-sdk/electron/checks'

export const SETUP_CHANNEL = 'demo:setup-check'
/** Name of the global that the preload script exposes. */
export const SETUP_BRIDGE = 'setupChecks'

/** What happened to a test link. */
export interface LinkOutcome {
  /** True if the system accepted the link. On Linux it always does. */
  sent: boolean
  /** In ms. Absent if the link did not arrive. */
  arrivedAfter?: number
  /** Error code with which the SDK refused the link. Absent if it did not. */
  refusal?: string
}

/** Sender of a test call. `page`: this page. `stranger`: a page of another origin. `frame`: a frame inside a page of this origin. */
export type Caller = 'page' | 'stranger' | 'frame'

export interface CallOutcome {
  caller: Caller
  channel: string
  /** `answered`, or the error code. */
  outcome: string
}

export interface SetupReports {
  storage: StorageReport
  link: SchemeReport & LinkOutcome
  loopback: LoopbackReport
  ipc: IpcReport & { calls: readonly CallOutcome[] }
}

export type SetupCheck = keyof SetupReports

/** `fault`: an error code. */
export type SetupResult<Name extends SetupCheck> =
  { report: SetupReports[Name]; platform: string } | { fault: string }

export interface SetupBridge {
  run<Name extends SetupCheck>(check: Name): Promise<SetupResult<Name>>
}
