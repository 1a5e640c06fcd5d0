/** Warns that nothing answers at the service that the environment names. */
import type { Logger } from 'vite'
import type { ServiceVariables } from './define-service'

/** Never rejects: the emulator may start later. Nothing waits for it. */
export async function warnIfSilent({ host }: ServiceVariables, logger: Pick<Logger, 'warn'>): Promise<void> {
  try {
    await fetch(host, { method: 'HEAD' })
  } catch {
    logger.warn(
      `foyer: nothing answers at ${host}, which FOYER_HOST names: start that emulator, or unset FOYER_HOST and FOYER_APPLICATION_ID, and the plugin starts one`,
    )
  }
}
