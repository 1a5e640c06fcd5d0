/** Says that the emulator is ready: one line of JSON for programs, a banner for people. */
import { styleText } from 'node:util'
import type { Emulator } from '../handle.js'

export function jsonLine(emulator: Emulator): string {
  const { url, application, controlToken, users } = emulator
  const { id: applicationId, botToken, clientSecret, publicKey } = application
  return JSON.stringify({ url, applicationId, botToken, clientSecret, publicKey, controlToken, users })
}

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

export function banner(emulator: Emulator, { version, colour }: { version: string; colour: boolean }): string {
  const paint = (format: Parameters<typeof styleText>[0], text: string) => (colour ? styleText(format, text) : text)
  const { application, users } = emulator
  const rows = [
    ['Host', paint('bold', emulator.url)],
    ['Chat', `${emulator.url}/chat`],
    ['Application', `${application.id}  ${application.name}`],
    ['Players', users.map(({ username }) => username).join(', ')],
    ['Activity', emulator.activity.url ?? 'none: --activity-url says where the game is'],
    ['Bot token', application.botToken],
    ['Client secret', application.clientSecret],
    ['Public key', application.publicKey],
    ['Control token', emulator.controlToken],
  ]
  const lines = rows.map(([name = '', value = '']) => `  ${paint('dim', name.padEnd(14))} ${value}`)
  return [
    '',
    `  ${paint(['bold', 'magenta'], 'Foyer emulator')} ${version}`,
    '',
    ...lines,
    '',
    `  ${paint('dim', 'Ctrl-C stops it.')}`,
    '',
  ].join('\n')
}
