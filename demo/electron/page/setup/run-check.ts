/** Starts a check in the main process, through the preload script of the demo. */
import type { SetupBridge, SetupCheck, SetupResult } from '../../setup/contract'

declare global {
  interface Window {
    setupChecks?: SetupBridge
  }
}

/** Never rejects. */
export async function runCheck<Name extends SetupCheck>(name: Name): Promise<SetupResult<Name>> {
  try {
    return (await window.setupChecks?.run(name)) ?? { fault: 'no_preload_script' }
  } catch {
    return { fault: 'no_main_process' }
  }
}
