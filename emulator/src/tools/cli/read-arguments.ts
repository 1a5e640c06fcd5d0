/** Parses the command line: commands, options, and a one-line error. */
import type { DriftCommand } from './drift-command.js'
import type { ProxyMapping } from '../../service/activity/proxy-mapping.js'
import { isProfile, type LimitsProfile } from '../../service/limits/settings.js'
import { parseOptions, UsageError, type Values } from './parse-options.js'

export interface ServeOptions {
  port: number
  host: string | undefined
  envFile: string | undefined
  seed: string | undefined
  state: string | undefined
  strictRefresh: boolean
  limits: LimitsProfile
  interactionsUrl: string | undefined
  eventsUrl: string | undefined
  activityUrl: string | undefined
  activityPort: number
  /** URL mappings of the Activity's proxy; undefined without its rules. */
  activityMappings: ProxyMapping[] | undefined
  /** Player whose program runs on this computer. */
  localProgram: string | undefined
}

export type Command =
  | { name: 'help' }
  | { name: 'version' }
  | { name: 'start'; options: ServeOptions; json: boolean; quiet: boolean }
  | { name: 'exec'; options: ServeOptions; command: string[] }
  | { name: 'check' | 'plan' | 'sync'; file: string; options: CommandsOptions }
  | ({ name: 'drift' } & DriftCommand)

/** Options of `check`, `plan` and `sync`; the credentials are in the environment. */
export interface CommandsOptions {
  url: string | undefined
  applicationId: string | undefined
  /** Guild of the commands; undefined for global commands. */
  guild: string | undefined
  json: boolean
  /** `sync` may delete every command. */
  allowEmpty: boolean
}

const DEFAULT_PORT = 4320
const DEFAULT_ACTIVITY_PORT = 3333

export const HELP = `foyer-emulator: the service that Foyer talks to, on one machine.

Usage:
  foyer-emulator start [options]              Start, and stay until Ctrl-C.
  foyer-emulator exec [options] -- COMMAND    Start, run COMMAND beside it, stop with it.
  foyer-emulator check FILE                   Report every problem in the commands of FILE, offline.
  foyer-emulator plan FILE                    Show what a sync would change.
  foyer-emulator sync FILE                    Make the service's commands those of FILE; nothing else is touched.
  foyer-emulator drift --openapi FILE         Compare the emulator with a service's OpenAPI 3.1 document.
  foyer-emulator drift --against URL --credentials FILE
                                              Compare the emulator with a running service: some reads and refused requests, and
                                              one empty lobby that is deleted again.

Options:
  --port NUMBER         Port on 127.0.0.1; 0 takes any free one. Default: ${DEFAULT_PORT} for start, 0 for exec.
  --host ADDRESS        Listen on this address too, for phones; 0.0.0.0 for all of this machine. Everybody who reaches it can
                        sign in as any player: for networks that you trust only. Default: 127.0.0.1 alone.
  --credentials FILE    Keep the client secret, bot token, control token and public key in FILE, as FOYER_* variables, over restarts.
                        --env-file is the same, except that npx with Node 20 takes it for itself.
  --seed FILE           JSON file with the application, players and guilds to begin with.
  --state FILE          SQLite file that keeps players' grants and the credentials between two runs.
  --strict-refresh      A refresh ends the old access token too.
  --limits PROFILE      Rate limits: production, development or off. Default: production.
  --interactions-url URL
                        Where the backend takes interactions; it is asked and probed before the first one.
                        exec: with port 0 a free port is chosen, which COMMAND gets as PORT.
  --events-url URL      Where the backend takes events of the service; it is asked and probed before the first one.
  --activity-url URL    Where the game is that the Activity frames; opens the host page.
  --activity-port NUMBER
                        Port of the host page on localhost; any other one while it is busy. Default: ${DEFAULT_ACTIVITY_PORT}.
  --activity-mapping PREFIX=TARGET
                        Serve the game by the rules of the Activity's proxy, with this URL mapping: /api=8080 for a port of this
                        machine, or /api=http://HOST. Write it once for each prefix.
  --activity-proxy      The same rules without a mapping.
  --local-program PLAYER
                        Run the service's program of this player, for presence and invitations of a game in Electron. start prints
                        FOYER_LOCAL_PROGRAM for the game's environment; COMMAND of exec has it.
  --quiet               start: print no line for each request.
  --json                start: print one line of JSON with the address and the credentials; all else goes to stderr.
                        check, plan, sync, drift: print one line of JSON with the outcome, and nothing else.
  --url URL             plan, sync: the service. Default: FOYER_HOST.
  --application-id ID   plan, sync: the application. Default: FOYER_APPLICATION_ID.
  --allow-empty         sync: an empty list deletes every command. Without it, such a list is refused.
  --against URL         drift: the service, or the root of its API. FOYER_APPLICATION_ID, FOYER_BOT_TOKEN and FOYER_CLIENT_SECRET (if it
                        has one) are read from --credentials and never printed.
  --openapi FILE        drift: the document, JSON or YAML.
  --brand WORD          drift: the word in the document's constants that is SERVICE here.
  --accept FILE         drift: JSON object of accepted differences, each "kind operation place" with its reason.
  --guild ID            check, plan, sync: the commands of one guild instead of the global ones.
  --help, --version

COMMAND gets FOYER_HOST, FOYER_APPLICATION_ID, FOYER_BOT_TOKEN, FOYER_CLIENT_SECRET, FOYER_PUBLIC_KEY and FOYER_CONTROL_TOKEN.
FILE is .json, .js, .mjs, .cjs or .ts and holds (or exports as its default) a list of commands. plan and sync take the bot token from
FOYER_BOT_TOKEN only. They need foyer-sdk in the project they are run in. Exit codes: 0 done, 1 faults or refused, 2 wrong usage.
`

/** @throws UsageError with a one-line message. */
export function readArguments(argv: string[]): Command {
  const split = argv.indexOf('--')
  const command = split === -1 ? [] : argv.slice(split + 1)
  const { values, positionals } = parseOptions(split === -1 ? argv : argv.slice(0, split), {
    isWhole: split === -1,
  })
  if (values.help === true || (positionals.length === 0 && argv.length === 0)) return { name: 'help' }
  if (values.version === true) return { name: 'version' }
  const [name, extra] = positionals
  if (name === 'check' || name === 'plan' || name === 'sync')
    return readCommandsArguments(name, positionals.slice(1), values)
  if (extra !== undefined)
    throw new UsageError(
      `unexpected argument ${JSON.stringify(extra)}${name === 'exec' ? '; write the command after --' : /^\d+$/.test(extra) ? `; a port is --port ${extra}` : extra.endsWith('.json') ? `; a seed is --seed ${extra}` : ''}`,
    )
  if (name === 'drift') return readDriftArguments(values)
  if (name === 'start') {
    if (split !== -1) throw new UsageError('start runs no command; use exec')
    const options = serveOptions(values, DEFAULT_PORT)
    if (URL.parse(options.interactionsUrl ?? '')?.port === '0')
      throw new UsageError(
        '--interactions-url needs the port of the backend; only exec chooses one for port 0',
      )
    return { name, options, json: values.json === true, quiet: values.quiet === true }
  }
  if (name === 'exec') {
    if (values.json === true)
      throw new UsageError('exec has no --json; the values are in the environment of the command')
    if (command.length === 0) throw new UsageError('exec needs a command: foyer-emulator exec -- COMMAND')
    return { name, options: serveOptions(values, 0), command }
  }
  throw new UsageError('a command is missing, such as start: foyer-emulator start --port 4320')
}

function readDriftArguments(values: Values): Command {
  const { openapi, against, brand, accept, json = false } = values
  const envFile = readEnvFile(values)
  if (openapi !== undefined && against !== undefined)
    throw new UsageError('drift takes --openapi or --against, not both')
  if (openapi !== undefined) return { name: 'drift', source: { openapi, brand }, accept, json }
  if (against === undefined)
    throw new UsageError(
      'drift needs a document or a service: foyer-emulator drift --openapi FILE, or --against URL --credentials FILE',
    )
  if (envFile === undefined)
    throw new UsageError('drift --against needs --credentials with those of the application')
  return { name: 'drift', source: { against, envFile }, accept, json }
}

/** @throws UsageError for two files. */
function readEnvFile({ credentials, 'env-file': envFile }: Values): string | undefined {
  if (credentials !== undefined && envFile !== undefined)
    throw new UsageError('--credentials and --env-file are one option: pass one of them')
  return credentials ?? envFile
}

function serveOptions(values: Values, usualPort: number): ServeOptions {
  return {
    port: readPort('--port', values.port, usualPort),
    host: readHost(values.host),
    envFile: readEnvFile(values),
    seed: values.seed,
    state: values.state,
    strictRefresh: values['strict-refresh'] === true,
    limits: readProfile(values.limits),
    interactionsUrl: readUrl('--interactions-url', values['interactions-url']),
    eventsUrl: readUrl('--events-url', values['events-url']),
    activityUrl: readUrl('--activity-url', values['activity-url']),
    localProgram: values['local-program'],
    activityPort: readPort('--activity-port', values['activity-port'], DEFAULT_ACTIVITY_PORT),
    activityMappings: readMappings(values),
  }
}

function readCommandsArguments(
  name: 'check' | 'plan' | 'sync',
  [file, extra]: string[],
  values: Values,
): Command {
  if (file === undefined) throw new UsageError(`${name} needs a file: foyer-emulator ${name} FILE`)
  if (extra !== undefined) throw new UsageError(`unexpected argument ${JSON.stringify(extra)}`)
  const {
    url = process.env['FOYER_HOST'],
    'application-id': applicationId = process.env['FOYER_APPLICATION_ID'],
    guild,
    json = false,
    'allow-empty': allowEmpty = false,
  } = values
  return { name, file, options: { url, applicationId, guild, json, allowEmpty } }
}

function readProfile(value = 'production'): LimitsProfile {
  if (isProfile(value)) return value
  throw new UsageError(`--limits must be production, development or off, not ${JSON.stringify(value)}`)
}

function readUrl(option: string, value: string | undefined): string | undefined {
  if (value === undefined || /^https?:$/.test(URL.parse(value)?.protocol ?? '')) return value
  throw new UsageError(`${option} must be an http: or https: URL, not ${JSON.stringify(value)}`)
}

/** Any mapping brings the rules of the proxy, and so does the option without one. */
function readMappings(values: Values): ProxyMapping[] | undefined {
  const { 'activity-mapping': given, 'activity-proxy': isProxied = false, 'activity-url': game } = values
  if (given === undefined && !isProxied) return undefined
  if (game === undefined)
    throw new UsageError(
      `${given === undefined ? '--activity-proxy' : '--activity-mapping'} needs --activity-url with the address of the game`,
    )
  return (given ?? []).map(readMapping)
}

function readMapping(text: string): ProxyMapping {
  const { prefix, target = '' } = /^(?<prefix>\/[\w./-]*)=(?<target>.+)$/.exec(text)?.groups ?? {}
  const address = /^\d{1,5}$/.test(target) ? `http://localhost:${target}` : target
  if (prefix === undefined || !/^https?:$/.test(URL.parse(address)?.protocol ?? ''))
    throw new UsageError(
      `--activity-mapping must be like /api=8080 or /api=http://localhost:8080, not ${JSON.stringify(text)}`,
    )
  return { prefix, target: address }
}

function readHost(value: string | undefined): string | undefined {
  if (value === undefined || /^[\w.:-]+$/.test(value)) return value
  throw new UsageError(
    `--host must be an address of this machine without a port, not ${JSON.stringify(value)}`,
  )
}

function readPort(option: string, value: string | undefined, fallback: number): number {
  if (value === undefined) return fallback
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value)
  throw new UsageError(`${option} must be a number from 0 to 65535, not ${JSON.stringify(value)}`)
}
