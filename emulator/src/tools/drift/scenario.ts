/** Requests that change nothing at a service: reads, refused requests, preflights. */
// The one empty lobby that they create is deleted at the end.
import type { DifferenceKind } from './drift-types.js'

const preflight = (name: string, path: string, method: string): Step => ({
  name,
  method: 'OPTIONS',
  path,
  as: 'nobody',
  headers: {
    origin: 'https://game.example',
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization,content-type,user-agent,x-game',
  },
})

const LOBBY = '/lobbies/{lobby}'
const COMMANDS = '/applications/{application}/commands'

export const DELETION: Step = { name: 'deletes the lobby', method: 'DELETE', path: LOBBY, as: 'application' }

export const scenario: readonly Step[] = [
  preflight('may a page read its player', '/users/@me', 'GET'),
  preflight('may a page join a lobby', '/lobbies', 'PUT'),
  { name: 'reads the signing keys', method: 'GET', path: '/oauth2/keys', as: 'nobody' },
  { name: 'reads its user without a token', method: 'GET', path: '/users/@me', as: 'nobody' },
  { name: 'reads its user', method: 'GET', path: '/users/@me', as: 'application' },
  { name: 'reads a user that does not exist', method: 'GET', path: '/users/1', as: 'application' },
  { name: 'reads its application', method: 'GET', path: '/oauth2/applications/@me', as: 'application' },
  { name: 'reads its commands', method: 'GET', path: COMMANDS, as: 'application', statusOnly: true },
  { name: 'reads a command that does not exist', method: 'GET', path: `${COMMANDS}/1`, as: 'application' },
  { name: 'creates a command without a name', method: 'POST', path: COMMANDS, as: 'application', json: {} },
  {
    name: 'sends an empty body as JSON',
    method: 'DELETE',
    path: `${COMMANDS}/1`,
    as: 'application',
    headers: { 'content-type': 'application/json' },
  },
  { name: 'reads a lobby that does not exist', method: 'GET', path: '/lobbies/1', as: 'application' },
  {
    name: 'creates a lobby with a number as its metadata',
    method: 'POST',
    path: '/lobbies',
    as: 'application',
    json: { metadata: 7 },
  },
  {
    name: 'creates a lobby',
    method: 'POST',
    path: '/lobbies',
    as: 'application',
    json: { metadata: { drift: '1' }, idle_timeout_seconds: 60 },
    createsLobby: true,
  },
  { name: 'reads the lobby', method: 'GET', path: LOBBY, as: 'application' },
  {
    name: 'changes the lobby',
    method: 'PATCH',
    path: LOBBY,
    as: 'application',
    json: { metadata: { drift: '2' } },
  },
  DELETION,
  { name: 'reads the deleted lobby', method: 'GET', path: LOBBY, as: 'application' },
  {
    name: 'refreshes with a wrong token',
    method: 'POST',
    path: '/oauth2/token',
    as: 'nobody',
    form: { grant_type: 'refresh_token', refresh_token: 'not-a-refresh-token' },
  },
  { name: 'asks for what does not exist', method: 'GET', path: '/nothing-here', as: 'application' },
]

/** One request of a scenario. `{application}` and `{lobby}` in the path and the form are replaced by the ids at each service. */
export interface Step {
  /** Place in a report: `reads a lobby that does not exist`. */
  name: string
  method: string
  /** Below the root of the API. */
  path: string
  as: 'application' | 'nobody'
  headers?: Readonly<Record<string, string>>
  json?: unknown
  form?: Readonly<Record<string, string>>
  /** The body depends on the application, so that only the status is compared. */
  statusOnly?: boolean
  /** The id in the response replaces `{lobby}` from now on. */
  createsLobby?: boolean
}

/** Where a scenario is replayed, and as whom. */
export interface Target {
  /** Root of the API: `https://service.example/api/v10`. */
  api: string
  applicationId: string
  botToken: string
  clientSecret: string | undefined
}

/** Response to a step, as far as it is compared. */
export interface StepAnswer {
  status: number
  body: unknown
  headers: Headers
}

/** A part of a response that differs. The difference says nothing about values, except numbers and names of errors. */
export interface Difference {
  kind: DifferenceKind
  /** Field of the body or name of a header; empty for the whole. */
  at: string
  detail: string
}

interface StepDifference extends Difference {
  /** Name of the step. */
  operation: string
  /** Reason of the decision that accepts it. */
  accepted: string | undefined
}

export interface Comparison {
  differences: StepDifference[]
  /** Steps that could not be compared, with the reason. */
  skipped: { step: string; reason: string }[]
  steps: number
}
