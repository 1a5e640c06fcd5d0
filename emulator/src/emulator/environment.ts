/** Environment variables with the values of a running emulator. */
import type { Emulator } from './emulator.js'

export function environment({ url, application, controlToken }: Emulator): Record<string, string> {
  return {
    FOYER_URL: url,
    FOYER_APPLICATION_ID: application.id,
    FOYER_BOT_TOKEN: application.botToken,
    FOYER_CLIENT_SECRET: application.clientSecret,
    FOYER_PUBLIC_KEY: application.publicKey,
    FOYER_CONTROL_TOKEN: controlToken,
  }
}
