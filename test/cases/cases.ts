/** The decided and open cases of the interface, and their validation by the SDK. */
import { readFileSync } from 'node:fs'
import {
  validateCommand,
  validateCommands,
  validateLobby,
  validateLobbyMember,
  validatePermissions,
  type Issue,
  type ValidateCommandOptions,
} from 'foyer-sdk/server'

export interface Case {
  readonly id: string
  readonly endpoint: string
  readonly body: unknown
  readonly params?: { readonly guild_id?: string }
  readonly headers?: Readonly<Record<string, string>>
  /** The type of the command that a PATCH edits. */
  readonly knownType?: number
}

export interface DecidedCase extends Case {
  readonly expect: 'accept' | 'reject'
  readonly path: string | null
  readonly why: string
}

export interface OpenCase extends Case {
  readonly recommended: 'accept' | 'reject' | 'warn'
  readonly open_question: string
}

/** Reads one file of cases. */
export function read(name: string): string {
  return readFileSync(new URL(`./data/${name}.json`, import.meta.url), 'utf8')
}

/** `$.options[0].name` in the notation of the SDK. */
export const sdkPath = (path: string): string => path.replace(/^\$\.?/, '')

export const isLobby = ({ endpoint }: Case): boolean => endpoint.includes('/lobbies')

/** 26 keys of metadata: the interface bounds their length, and a public description of such a service their number too. */
const OF_MANY_KEYS = new Set(['lobby.metadata-06', 'amb.lobby.total-03'])

/** The case as it is decided for lobbies, which have at most 25 keys of metadata. */
export function ofLobby<Any extends DecidedCase | OpenCase>(one: Any): Any {
  if (!OF_MANY_KEYS.has(one.id)) return one
  return 'expect' in one
    ? { ...one, expect: 'reject', path: '$.metadata' }
    : { ...one, recommended: 'reject' }
}

/** The guild of the cases. */
const GUILD = '290926798626357999'

const OPERATIONS = { POST: 'create', PATCH: 'edit', PUT: 'overwrite' } as const

/** The application has an Activity and both installation contexts, and is not in the app directory. */
const APPLICATION = { embedded: true, integrationTypes: [0, 1], discoverable: false }

export function checkLobby({ endpoint, body }: Case): Issue[] {
  if (endpoint === 'POST /lobbies') return validateLobby(body, 'create')
  if (endpoint === 'PATCH /lobbies/<lobby_id>') return validateLobby(body, 'edit')
  if (endpoint === 'PUT /lobbies/<lobby_id>/members/<user_id>') return validateLobbyMember(body)
  throw new Error(`No check for ${endpoint}.`)
}

export function check({ endpoint, body, params, knownType }: Case): Issue[] {
  if (endpoint === 'PUT guild command permissions')
    return validatePermissions(body, { guildId: params?.guild_id ?? GUILD })
  const [, method, scope, plural] = /^(POST|PATCH|PUT) (global|guild) command(s?)$/.exec(endpoint) ?? []
  if (
    (method !== 'POST' && method !== 'PATCH' && method !== 'PUT') ||
    (scope !== 'global' && scope !== 'guild')
  ) {
    throw new Error(`No check for ${endpoint}.`)
  }
  const options: ValidateCommandOptions = {
    scope,
    operation: OPERATIONS[method],
    application: APPLICATION,
    ...(knownType !== undefined && { knownType }),
  }
  return plural ? validateCommands(body, options) : validateCommand(body, options)
}
