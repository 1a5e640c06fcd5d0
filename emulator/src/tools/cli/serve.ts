/** Starts an emulator with the options of the command line. */
import { createEmulator, type EmulatorOptions } from '../../emulator/create-emulator.js'
import type { Emulator } from '../../api/control/emulator.js'
import type { ServeOptions } from './read-arguments.js'
import { styleText } from 'node:util'

type Listeners = Pick<EmulatorOptions, 'onRequest' | 'onNotice'>

export function serve(
  {
    seed,
    state,
    host,
    envFile,
    interactionsUrl,
    eventsUrl,
    activityUrl,
    activityMappings,
    ...options
  }: Omit<ServeOptions, 'localProgram'>,
  listeners: Listeners,
): Promise<Emulator> {
  return createEmulator({
    ...options,
    ...listeners,
    ...(host === undefined ? {} : { host }),
    ...(envFile === undefined ? {} : { envFile }),
    ...(seed === undefined ? {} : { seed }),
    ...(state === undefined ? {} : { state }),
    ...(interactionsUrl === undefined ? {} : { interactionsUrl }),
    ...(eventsUrl === undefined ? {} : { eventsUrl }),
    ...(activityUrl === undefined ? {} : { activityUrl }),
    ...(activityMappings === undefined ? {} : { activityMappings }),
  })
}

/** Starts the program of a player, if one was asked for. Returns the environment with which a game finds it. */
export async function startProgram(
  emulator: Emulator,
  as: ServeOptions['localProgram'],
): Promise<Record<string, string>> {
  return as === undefined ? {} : (await emulator.localProgram({ as })).environment
}

export function jsonLine(emulator: Emulator): string {
  const { url, application, controlToken, users } = emulator
  const { id: applicationId, botToken, clientSecret, publicKey } = application
  return JSON.stringify({ url, applicationId, botToken, clientSecret, publicKey, controlToken, users })
}

export const NETWORK_WARNING =
  'Everybody in this network can sign in here as any player, install and chat: use --host in networks that you trust only.'

/** Names and addresses of the pages for developers. */
const pagesOf = ({ url, controlToken }: Emulator) => [
  ['Inspector', `${url}/inspector#${controlToken}`],
  ['Chat', `${url}/chat`],
]

/** One line for each page, without decoration: other programs print beside them. */
export function pageLines(emulator: Emulator): string[] {
  const { url } = emulator.activity
  const pages = url === undefined ? pagesOf(emulator) : [...pagesOf(emulator), ['Activity', url]]
  return pages.map(([name, address]) => `${name} ${address}`)
}

export function banner(
  emulator: Emulator,
  { version, colour }: { version: string; colour: boolean },
): string {
  const paint = (format: Parameters<typeof styleText>[0], text: string) =>
    colour ? styleText(format, text) : text
  const { application, users } = emulator
  const rows = [
    ['Host', paint('bold', emulator.url)],
    ...emulator.networkUrls.map((url) => ['Network', url]),
    ...pagesOf(emulator),
    ['Gateway', emulator.gateway.url],
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
    ...(emulator.networkUrls.length === 0 ? [] : [`  ${paint(['bold', 'yellow'], NETWORK_WARNING)}`, '']),
    `  ${paint('dim', 'Ctrl-C stops it.')}`,
    '',
  ].join('\n')
}
