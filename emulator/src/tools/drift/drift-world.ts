/** An emulator with one object of each kind, so that every operation can succeed: lobbies, messages, commands, tokens. */
import { createHash, randomBytes } from 'node:crypto'
import { createEmulator } from '../../emulator/create-emulator.js'
import type { Emulator } from '../../api/control/emulator.js'
import { fieldsOf, textOf } from '../../foundation/values.js'
import type { CallerKind } from './drift-types.js'
import {
  startInteractionEndpoint,
  type InteractionEndpoint,
  type OpenInteraction,
} from './interaction-endpoint.js'

export type Send = (url: string, init: RequestInit) => Promise<Response>

/** The authorization header of a caller. */
export interface Credential {
  of: CallerKind
  header: string | undefined
}

export interface DriftWorld {
  emulator: Emulator
  /** To be tried in this order. */
  credentials: readonly Credential[]
  /** Ids that a placeholder after this segment of a path may have, in the order to try. */
  ids: Readonly<Record<string, readonly string[]>>
  /** Values of fields by their name. */
  known: Readonly<Record<string, unknown>>
  /** Brings back the state in which every operation can succeed, if a request may have changed it. */
  restore: () => void
  /** Notes that a request may have changed the state. */
  touch: () => void
  /** Puts id and token of a new interaction into a path that needs one: one that waits for its response, or one that has it. */
  withInteraction: (path: string) => Promise<string>
  close: () => Promise<void>
}

const GUILD = '9001'
const [linkedChannel, channel] = ['9002', '9003']
const channels = [linkedChannel, channel].map((id) => ({ id, name: `drift-${id}`, type: 0 }))
const SCOPE =
  'openid identify email guilds guilds.members.read sdk.social_layer applications.commands.permissions.update'

/** Stand for id and token of an interaction in a path. */
const [INTERACTION_ID, INTERACTION_TOKEN] = ['interaction-id', 'interaction-token']

export async function createDriftWorld(): Promise<DriftWorld> {
  let emulator: Emulator | undefined
  const endpoint = await startInteractionEndpoint(() => emulator?.application.publicKey ?? '')
  try {
    emulator = await createEmulator({
      limits: 'off',
      commands: { dailyCreates: null },
      seed: { guilds: [{ id: GUILD, name: 'Drift', channels }] },
      interactionsUrl: endpoint.url,
    })
    return await fillWorld(emulator, endpoint)
  } catch (error) {
    endpoint.close()
    await emulator?.close()
    throw error
  }
}

async function fillWorld(emulator: Emulator, endpoint: InteractionEndpoint): Promise<DriftWorld> {
  const tokens = await signIn(emulator)
  const [bot, player] = [`Bot ${emulator.application.botToken}`, `Bearer ${textOf(tokens['access_token'])}`]
  const [asBot, asPlayer] = [caller(emulator, bot), caller(emulator, player)]
  const [ada = '', bruno = ''] = emulator.users.map(({ id }) => id)
  const lobbies = await createLobbies({ asBot, asPlayer }, [{ id: ada, flags: 1 }, { id: bruno }])
  const commands = await createCommands({ asBot, asPlayer }, emulator.application.id)
  const saved = emulator.snapshot()
  let isTouched = false
  return {
    emulator,
    credentials: [
      { of: 'bot', header: bot },
      { of: 'player', header: player },
      { of: 'nobody', header: undefined },
    ],
    ids: {
      interactions: [INTERACTION_ID],
      'interactions token': [INTERACTION_TOKEN],
      webhooks: [emulator.application.id],
      'webhooks token': [INTERACTION_TOKEN],
      ...lobbies,
      commands,
      members: [ada, bruno],
      applications: [emulator.application.id],
      guilds: [GUILD],
      users: [ada],
    },
    known: { ...knownFields(emulator, tokens), id: bruno, user_id: bruno },
    restore: () => {
      if (isTouched) emulator.restore(saved)
      isTouched = false
    },
    touch: () => {
      isTouched = true
    },
    withInteraction: async (path) => {
      if (!path.includes(INTERACTION_TOKEN)) return path
      const { id, token } = await openInteraction(emulator, endpoint, {
        isAnswered: !path.includes(INTERACTION_ID),
      })
      return path.replace(INTERACTION_ID, id).replace(INTERACTION_TOKEN, token)
    },
    close: async () => {
      endpoint.close()
      await emulator.close()
    },
  }
}

/** A player uses the command; the response may be sent already, as a message. */
async function openInteraction(
  emulator: Emulator,
  endpoint: InteractionEndpoint,
  { isAnswered }: { isAnswered: boolean },
): Promise<OpenInteraction> {
  const next = endpoint.next()
  void emulator.interactions.use({ as: 'ada', command: 'drift', channel })
  const { id, token } = await next
  if (isAnswered)
    await fetch(`${emulator.url}/api/v10/interactions/${id}/${token}/callback`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"type":4,"data":{"content":"hello"}}',
    })
  return { id, token }
}

type Ask = ((method: string, path: string, body?: unknown) => Promise<unknown>) | undefined

/** Callers: the application, and the first player. */
interface Callers {
  asBot: Ask
  asPlayer: Ask
}

const idOf = (answer: unknown): string => String(fieldsOf(answer)['id'])

/** A lobby of the application, one of the player, and one that is linked to a channel. */
async function createLobbies(
  { asBot, asPlayer }: Callers,
  members: object[],
): Promise<{ lobbies: string[]; messages: string[] }> {
  const lobby = idOf(await asBot?.('POST', '/lobbies', { members }))
  const linked = idOf(await asBot?.('POST', '/lobbies', { members }))
  const own = idOf(await asPlayer?.('PUT', '/lobbies', { secret: 'drift' }))
  await asPlayer?.('PATCH', `/lobbies/${linked}/channel-linking`, { channel_id: linkedChannel })
  const message = idOf(await asPlayer?.('POST', `/lobbies/${lobby}/messages`, { content: 'hello' }))
  return { lobbies: [lobby, own, linked], messages: [message, '@original'] }
}

/** A command of a guild, with permissions, and a global one. */
async function createCommands({ asBot, asPlayer }: Callers, id: string): Promise<string[]> {
  const ofAll = `/applications/${id}/commands`
  const ofGuild = `/applications/${id}/guilds/${GUILD}/commands`
  // The entry point would have to be named in every list of commands.
  const existing = await asBot?.('GET', ofAll)
  for (const entry of Array.isArray(existing) ? existing : [])
    await asBot?.('DELETE', `${ofAll}/${idOf(entry)}`)
  const body = { name: 'drift', description: 'drift' }
  const [command, other] = [
    idOf(await asBot?.('POST', ofGuild, body)),
    idOf(await asBot?.('POST', ofAll, body)),
  ]
  await asPlayer?.('PUT', `${ofGuild}/${command}/permissions`, {
    permissions: [{ id: GUILD, type: 1, permission: true }],
  })
  return [command, other]
}

/** Values of fields by their name. */
function knownFields({ application }: Emulator, tokens: Record<string, unknown>): Record<string, unknown> {
  return {
    channel_id: channel,
    client_id: application.id,
    client_secret: application.clientSecret,
    grant_type: 'refresh_token',
    refresh_token: tokens['refresh_token'],
    token: tokens['access_token'],
    parent_access_token: tokens['access_token'],
    parent_client_secret: application.clientSecret,
    child_application_id: application.children[0]?.id,
    external_auth_type: 'OIDC',
    external_auth_token: 'emu:drift',
    external_user_id: 'drift',
    scope: 'openid sdk.social_layer',
    image: 'data:image/png;base64,AAAA',
  }
}

function caller(emulator: Emulator, authorization: string): NonNullable<Ask> {
  return async (method, path, body) =>
    (await send(`${emulator.url}/api/v10${path}`, { method, authorization, body }))
      .json()
      .catch(() => undefined)
}

function send(
  url: string,
  { method, authorization, body }: { method: string; authorization: string; body: unknown },
): Promise<Response> {
  const headers = { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  return fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
}

/** Signs the first player in, with every scope that an operation may need. */
async function signIn(emulator: Emulator): Promise<Record<string, unknown>> {
  const verifier = randomBytes(32).toString('base64url')
  const redirect = 'http://127.0.0.1/callback'
  const query = new URLSearchParams({
    client_id: emulator.application.id,
    response_type: 'code',
    redirect_uri: redirect,
    scope: SCOPE,
    state: 'drift-0123456789abcdef',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const { redirect: callback } = await emulator.authorize(
    `${emulator.url}/oauth2/authorize?${query.toString()}`,
    { as: 'ada' },
  )
  const code = new URL(callback).searchParams.get('code') ?? ''
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirect,
    client_id: emulator.application.id,
    code_verifier: verifier,
  }
  const response = await fetch(`${emulator.url}/api/v10/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  return fieldsOf(await response.json())
}
