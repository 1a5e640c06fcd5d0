/** Every public call of clients and backends, each with arguments that use all that it takes, at a service that keeps what it is asked. */
import { AuthorizationResult, Client, type Fetch, Secret } from 'foyer-sdk'
import * as server from 'foyer-sdk/server'
import { ManualClock } from './manual-clock'
import { callbackTo, scriptedSurface } from './scripted-surface'
import { Lobby } from './internals'

const HOST = 'https://service.test'
const BACKEND = 'https://game.test'
const APPLICATION = '1082700000000000001'
const ADA = '80351110224678912'
const LOBBY = '42'
const GUILD = '290926798626357999'
const COMMAND = '771825006014889984'

const user = { id: ADA, username: 'ada', global_name: 'Ada', avatar: null }
const lobby = {
  id: LOBBY,
  application_id: APPLICATION,
  metadata: { map: 'moon' },
  members: [{ id: ADA, metadata: {} }],
}
const message = { id: '900', type: 0, content: 'hello', lobby_id: LOBBY, channel_id: LOBBY, author: user }
const tokens = {
  access_token: 'access.2',
  refresh_token: 'refresh.2',
  token_type: 'Bearer',
  expires_in: 604_800,
  scope: 'openid sdk.social_layer',
}
const command = {
  id: COMMAND,
  application_id: APPLICATION,
  version: '1',
  type: 1,
  name: 'play',
  description: 'Plays',
  default_member_permissions: null,
}
const entitlement = {
  id: '900',
  sku_id: COMMAND,
  application_id: APPLICATION,
  user_id: ADA,
  type: 8,
}
const permissions = { id: COMMAND, application_id: APPLICATION, guild_id: GUILD, permissions: [] }

/** Answers by the end of the path; the first that fits. */
const ANSWERS: readonly (readonly [RegExp, object])[] = [
  [/\/oauth2\/keys$/, { keys: [] }],
  [/\/oauth2\/token\/revoke$/, {}],
  [
    /\/oauth2\/device\/authorize$/,
    {
      device_code: 'device.1',
      user_code: 'ABCD-EFGH',
      verification_uri: `${HOST}/activate`,
      verification_uri_complete: `${HOST}/activate?user_code=ABCD-EFGH`,
      expires_in: 300,
      interval: 5,
    },
  ],
  [/token(\/bot)?$/, tokens],
  [/unmerge(\/bot)?$/, {}],
  [/\/tickets$/, { ticket: 'a-ticket', expires_in: 30 }],
  [/\/users\/@me\/guilds$/, [{ id: GUILD, name: 'Guild', icon: null, owner: true, permissions: '8' }]],
  [/\/users\/\S+$/, user],
  [/\/channels$/, []],
  [/\/invites$/, { code: 'an-invite' }],
  [/\/lobbies\/\d+\/messages$/, [message]],
  [/\/members\/bulk$/, [{ id: ADA, metadata: null, flags: 0 }]],
  [/\/members\/\d+$/, { id: ADA, metadata: null, flags: 0 }],
  [/\/commands\/\d+\/permissions$/, permissions],
  [/\/commands\/permissions$/, [permissions]],
  [/\/commands$/, [command]],
  [/\/commands\/\d+$/, command],
  [
    /\/activity-instances\/[\w-]+$/,
    { instance_id: 'i-1', users: [ADA], location: { id: 'gc-1', kind: 'gc', channel_id: '1' } },
  ],
  [/\/webhooks\//, message],
  [/\/skus$/, [{ id: COMMAND, application_id: APPLICATION, type: 5, name: 'Map' }]],
  [/\/subscriptions$/, []],
  [/\/entitlements$/, [entitlement]],
  [/\/entitlements\/\d+$/, entitlement],
  [/\/lobbies(\/\d+(\/channel-linking)?)?$/, lobby],
]

/** The platform, without what a test does to it. */
export type Aside = <T>(work: () => T) => T

/** A service and a game's backend that keep each request as the platform reads it. */
export class CallWorld {
  readonly clock = new ManualClock()
  readonly requests: unknown[] = []
  /** Runs what the world itself does. */
  readonly aside: Aside

  constructor(aside: Aside = (work) => work()) {
    this.aside = aside
  }

  readonly fetch: Fetch = async (url, init) => {
    // As a platform reads it: inherited fields too.
    const read = Object.fromEntries(PLATFORM.map((name) => [name, Reflect.get(init, name) as unknown]))
    return this.aside(() => {
      this.requests.push(describeRequest(url, read))
      return this.#answer({ url, method: String(read['method']) })
    })
  }

  #answer({ url, method }: { url: string; method: string }): Response {
    const { pathname } = new URL(url)
    const found = ANSWERS.find(([path]) => path.test(pathname))?.[1] ?? {}
    if (method === 'DELETE') return new Response(null, { status: 204 })
    const isOne =
      method === 'POST' && Array.isArray(found) && /\/(messages|commands|entitlements)$/.test(pathname)
    return Response.json(isOne ? (found as unknown[])[0] : found, {
      status: method === 'POST' && pathname.endsWith('/commands') ? 201 : 200,
    })
  }
}

/** What `fetch` and `Request` read. */
const PLATFORM = [
  'method',
  'headers',
  'body',
  'signal',
  'cache',
  'credentials',
  'duplex',
  'integrity',
  'keepalive',
  'mode',
  'priority',
  'redirect',
  'referrer',
  'referrerPolicy',
  'window',
  'dispatcher',
]

function describeRequest(
  url: string,
  { method, headers, body, signal, ...rest }: Readonly<Record<string, unknown>>,
) {
  return {
    line: `${String(method)} ${url}`,
    headers: [...new Headers(headers as HeadersInit)].map(([name, text]) => [
      name,
      text.replace(/boundary=\S+/, 'boundary=*'),
    ]),
    body: describeBody(body),
    signal: signal instanceof AbortSignal ? `aborted ${signal.aborted}` : typeof signal,
    rest: JSON.stringify(rest),
  }
}

function describeBody(body: unknown): unknown {
  if (body instanceof Uint8Array) return Buffer.from(body).toString('latin1')
  if (!(body instanceof FormData)) return body ?? null
  return [...body].map(([name, part]) => [
    name,
    typeof part === 'string' ? part : `${part.name} ${part.type} ${part.size}`,
  ])
}

const signal = () => new AbortController().signal
const external = () => ({ externalAuthType: 'OIDC', externalAuthToken: 'an-external-token' })
const surface = () => scriptedSurface((url) => callbackTo(url, { iss: HOST }))
const result = () =>
  AuthorizationResult.fromTrustedCode('the-code', 'http://127.0.0.1:7777/callback', { nonce: 'n'.repeat(43) })
const device = () => ({ scopes: 'openid sdk.social_layer', clientId: APPLICATION })
const onUserCode = () => undefined
const activityCommand = () => ({
  name: 'play',
  description: 'Plays',
  name_localizations: { de: 'spielen' },
  options: [{ type: 3, name: 'map', description: 'A map', choices: [{ name: 'Moon', value: 'moon' }] }],
})
const reply = () => ({
  content: 'hello',
  embeds: [{ title: 'Score', fields: [{ name: 'ada', value: '3' }] }],
  files: [{ name: 'map.txt', data: new Uint8Array([109, 97, 112]) }],
  allowed_mentions: { parse: [] },
})
const interaction = () => ({
  id: '786008729715212338',
  application_id: APPLICATION,
  token: 'an-interaction-token',
})

type Args = () => unknown[]
type Rows<Owner> = Readonly<Record<string, Args>> & { readonly owner?: Owner }

/** Arguments of each call, by its path from the client. A call of a lobby begins with `lobby`. */
export const PAGE_ARGUMENTS: Rows<Client> = {
  authorize: () => [
    { scopes: 'openid', nonce: 'n'.repeat(43) },
    { surface: surface(), timeout: 5000, signal: signal() },
  ],
  abortAuthorize: () => [],
  createAuthorizationCodeVerifier: () => [],
  signIn: () => [{ scopes: 'openid', surface: surface(), timeout: 5000, signal: signal() }],
  signOut: () => [{ revoke: true, signal: signal() }],
  resume: () => [],
  handleCallback: () => ['http://127.0.0.1:7777/callback?code=a&state=unknown'],
  getToken: () => [result(), 'v'.repeat(43), { signal: signal() }],
  refreshToken: () => ['refresh.9', { signal: signal() }],
  revokeToken: () => ['access.9', { signal: signal() }],
  updateToken: () => [
    { accessToken: 'access.9', expiresIn: 3600, refreshToken: 'refresh.9' },
    { signal: signal() },
  ],
  pauseRefresh: () => [],
  fetchCurrentUser: () => [{ accessToken: 'access.9', signal: signal() }],
  fetchGuildMember: () => ['9', { signal: signal() }],
  fetchPurchases: () => [{ signal: signal() }],
  createOrJoinLobby: () => [
    'moon',
    { metadata: { map: 'moon' }, member: { role: 'healer' }, idleTimeout: 60, signal: signal() },
  ],
  takeInvitation: () => [],
  clearRateLimitBlocks: () => [],
  setApplicationId: () => [APPLICATION],
  'accounts.getTokenFromDevice': () => [device(), { onUserCode, signal: signal() }],
  'accounts.abortDevice': () => [],
  'accounts.getToken': () => [external(), { signal: signal() }],
  'accounts.merge': () => [result(), { ...external(), codeVerifier: 'v'.repeat(43) }, { signal: signal() }],
  'accounts.mergeFromDevice': () => [
    { ...device(), ...external() },
    { onUserCode, signal: signal() },
  ],
  'accounts.unmerge': () => [external(), { signal: signal() }],
  'accounts.exchangeChildToken': () => ['parent-token', APPLICATION, { signal: signal() }],
  // Refused without a host window.
  'activity.connect': () => [{ signal: signal() }],
  'activity.fetchParticipants': () => [{ signal: signal() }],
  'activity.joinLobby': () => [{ metadata: { map: 'moon' }, signal: signal() }],
  'backend.fetch': () => [
    `${BACKEND}/score`,
    { method: 'POST', body: '42', headers: { 'x-round': '3' }, signal: signal() },
  ],
  'backend.fetchTicket': () => [`${BACKEND}/tickets`, { signal: signal() }],
  'lobbies.get': () => [LOBBY],
  'lobbies.add': () => [structuredClone(lobby)],
  'lobbies.fetchGuilds': () => [{ signal: signal() }],
  'lobbies.fetchGuildChannels': () => [GUILD, { signal: signal() }],
  'lobby.send': () => ['hello', { metadata: { round: '3' }, signal: signal() }],
  'lobby.fetchMessages': () => [{ limit: 20, signal: signal() }],
  'lobby.leave': () => [{ signal: signal() }],
  'lobby.autoLeave': () => [],
  'lobby.watch': () => [{ interval: 2000, signal: signal() }],
  'lobby.link': () => [GUILD, { signal: signal() }],
  'lobby.unlink': () => [{ signal: signal() }],
  'lobby.createGuildInvite': () => [{ signal: signal() }],
  'lobby.inviteLink': () => [{ url: `${BACKEND}/play` }],
}

/** Arguments of each call of a backend, by the export that makes its object, and the path from there. */
export const BACKEND_ARGUMENTS: Rows<server.ApplicationClient> = {
  'ApplicationClient.limits': () => [],
  'ApplicationClient.clearRateLimitBlocks': () => [],
  ...scoped('ApplicationClient.commands.global'),
  'ApplicationClient.commands.guild': () => [GUILD],
  ...scoped('ApplicationClient.commands.guild()'),
  'ApplicationClient.commands.permissions': () => [GUILD],
  'ApplicationClient.commands.permissions().list': () => [{ signal: signal() }],
  'ApplicationClient.commands.permissions().get': () => [COMMAND, { signal: signal() }],
  'ApplicationClient.lobbies.onChanged': () => [() => undefined],
  'ApplicationClient.lobbies.create': () => [
    {
      metadata: { map: 'moon' },
      members: [{ id: ADA, metadata: { role: 'tank' }, flags: 1 }],
      idle_timeout_seconds: 60,
    },
    calls(),
  ],
  'ApplicationClient.lobbies.get': () => [LOBBY, calls()],
  'ApplicationClient.lobbies.assertMember': () => [LOBBY, ADA, calls()],
  'ApplicationClient.lobbies.edit': () => [LOBBY, { metadata: { map: 'mars' } }, calls()],
  'ApplicationClient.lobbies.delete': () => [LOBBY, calls()],
  'ApplicationClient.lobbies.putMember': () => [
    LOBBY,
    { id: ADA, metadata: { role: 'tank' }, flags: 1 },
    calls(),
  ],
  'ApplicationClient.lobbies.removeMember': () => [LOBBY, ADA, calls()],
  'ApplicationClient.lobbies.updateMembers': () => [
    LOBBY,
    [{ id: ADA, metadata: { role: 'tank' } }],
    calls(),
  ],
  'ApplicationClient.lobbies.createInvite': () => [LOBBY, ADA, calls()],
  'ApplicationClient.lobbies.setModerationMetadata': () => [
    LOBBY,
    { messageId: '900', metadata: { checked: 'yes' } },
    calls(),
  ],
  'ApplicationClient.lobbies.updateMetadata': () => [LOBBY, () => ({ map: 'mars' }), calls()],
  'ApplicationClient.activityInstances.get': () => ['i-1', { signal: signal() }],
  'ApplicationClient.users.get': () => [ADA, { signal: signal() }],
  'ApplicationClient.provisionalAccounts.getToken': () => [
    { externalUserId: 'e-1', preferredGlobalName: 'Ada' },
    { signal: signal() },
  ],
  'ApplicationClient.provisionalAccounts.unmerge': () => ['e-1', { signal: signal() }],
  'ApplicationClient.tokens.exchangeCode': () => [
    {
      code: 'the-code',
      redirectUri: `${BACKEND}/callback`,
      codeVerifier: 'v'.repeat(43),
      scopes: 'openid sdk.social_layer',
    },
    { signal: signal() },
  ],
  'ApplicationClient.tokens.refresh': () => ['refresh.9', { signal: signal() }],
  'ApplicationClient.tokens.revoke': () => ['access.9', { signal: signal() }],
  'ApplicationClient.tokens.provisional': () => [external(), { signal: signal() }],
  'ApplicationClient.tokens.merge': () => [{ code: 'the-code', ...external() }, { signal: signal() }],
  'ApplicationClient.tokens.unmerge': () => [external(), { signal: signal() }],
  'ApplicationClient.tokens.child': () => ['parent-token', APPLICATION, { signal: signal() }],
  'ApplicationClient.interactions.reply': () => [interaction(), reply()],
  'ApplicationClient.interactions.defer': () => [interaction(), { ephemeral: true }],
  'ApplicationClient.interactions.launchActivity': () => [interaction()],
  'ApplicationClient.interactions.followUp': () => [interaction(), reply()],
  'ApplicationClient.interactions.editReply': () => [interaction(), reply()],
  'ApplicationClient.interactions.deleteReply': () => [interaction()],
  'ApplicationClient.purchases.skus': () => [calls()],
  'ApplicationClient.purchases.list': () => [{ userId: ADA, skuIds: [COMMAND], excludeEnded: true }, calls()],
  'ApplicationClient.purchases.get': () => [COMMAND, calls()],
  'ApplicationClient.purchases.owns': () => [ADA, COMMAND, { allowTest: false, signal: signal() }],
  'ApplicationClient.purchases.consume': () => [COMMAND, { signal: signal() }],
  'ApplicationClient.purchases.createTest': () => [{ skuId: COMMAND, userId: ADA }, { signal: signal() }],
  'ApplicationClient.purchases.deleteTest': () => [COMMAND, { signal: signal() }],
  'ApplicationClient.purchases.subscriptions': () => [COMMAND, { userId: ADA }, { signal: signal() }],
  'UserClient.limits': () => [],
  'UserClient.clearRateLimitBlocks': () => [],
  'UserClient.commandPermissions': () => [GUILD],
  'UserClient.commandPermissions().list': () => [{ signal: signal() }],
  'UserClient.commandPermissions().get': () => [COMMAND, { signal: signal() }],
  'UserClient.commandPermissions().set': () => [
    COMMAND,
    [{ id: ADA, type: 2, permission: true }],
    { signal: signal() },
  ],
}

const calls = () => ({ priority: 'high', onBehalfOf: ADA, signal: signal() })

function scoped(path: string): Record<string, Args> {
  return {
    [`${path}.list`]: () => [{ withLocalizations: true, locale: 'de', signal: signal() }],
    [`${path}.create`]: () => [activityCommand(), { signal: signal() }],
    [`${path}.get`]: () => [COMMAND, { signal: signal() }],
    [`${path}.edit`]: () => [
      COMMAND,
      { description: 'Plays well', options: activityCommand().options },
      { knownType: 1, signal: signal() },
    ],
    [`${path}.delete`]: () => [COMMAND, { signal: signal() }],
    [`${path}.overwrite`]: () => [[activityCommand()], { signal: signal() }],
    [`${path}.plan`]: () => [[activityCommand()], { signal: signal() }],
    [`${path}.sync`]: () => [
      [activityCommand()],
      { allowEmpty: false, onPlan: () => undefined, onStep: () => undefined, signal: signal() },
    ],
  }
}

/** Not calls of a player or a backend: they end the object, listen to it, or are its own. */
const NO_CALLS = new Set(['constructor', 'on', 'close', 'toJSON', 'emit', 'requireOpen'])

/** Names of the functions of an object, its own and those of its classes. */
function methodsOf(object: object): string[] {
  const names = new Set<string>()
  for (
    let at = object;
    at !== Object.prototype && at !== Array.prototype && at !== null;
    at = Object.getPrototypeOf(at) as object
  )
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (typeof value === 'function' && !NO_CALLS.has(name)) names.add(name)
  return Array.from(names)
}

/** Objects of an object whose functions are calls too. */
const groupsOf = (object: object): [string, object][] =>
  Object.entries(object).filter(
    (entry): entry is [string, object] =>
      typeof entry[1] === 'object' && entry[1] !== null && methodsOf(entry[1] as object).length > 0,
  )

/** All functions of an object and its groups, by path. */
function pathsOf(object: object, before = ''): string[] {
  return [
    ...methodsOf(object).map((name) => before + name),
    ...groupsOf(object).flatMap(([name, group]) => pathsOf(group, `${before}${name}.`)),
  ]
}

/** A client with a player in a lobby. `options` may be changed afterwards. */
export async function openPage(world: CallWorld) {
  const options = {
    applicationId: APPLICATION,
    service: { host: HOST, brand: 'service' },
    fetch: world.fetch,
    clock: world.clock,
    backendOrigins: [BACKEND],
    maxWait: 5000,
    requestTimeout: 20_000,
  }
  const client = new Client(options)
  const now = world.clock.now()
  const seconds = Math.floor(now / 1000)
  await client.updateToken({
    accessToken: new Secret('access.1'),
    refreshToken: new Secret('refresh.1'),
    idToken: new Secret('id.1'),
    tokenType: 'Bearer',
    expiresAt: now + 604_800_000,
    scopes: ['openid'],
    claims: { iss: HOST, sub: ADA, aud: APPLICATION, iat: seconds, exp: seconds + 604_800 },
  })
  const entered = await client.lobbies.add(structuredClone(lobby))
  return { client, lobby: entered, options }
}

/** Clients of a backend. */
export function openBackend(world: CallWorld) {
  const options = {
    applicationId: APPLICATION,
    service: { host: HOST, brand: 'service' },
    fetch: world.fetch,
    clock: world.clock,
    credentials: server.botToken('a-bot-token'),
    clientSecret: 'a-client-secret',
    application: { embedded: false },
    maxWait: 5000,
  }
  const ofUser = {
    applicationId: APPLICATION,
    service: { host: HOST },
    fetch: world.fetch,
    clock: world.clock,
    accessToken: 'access.9',
  }
  return {
    ApplicationClient: new server.ApplicationClient(options),
    UserClient: new server.UserClient(ofUser),
    options: [options, ofUser],
  }
}

/** The paths of all calls of a page, as they are on the objects. */
export async function pagePaths(): Promise<string[]> {
  const { client, lobby: entered } = await openPage(new CallWorld())
  if (!(entered instanceof Lobby)) throw new TypeError('no lobby')
  const found = [...pathsOf(client), ...methodsOf(entered).map((name) => `lobby.${name}`)]
  client.close()
  return found
}

/** Of the objects that functions of a backend's clients return at once. */
export function backendPaths(): string[] {
  const { ApplicationClient, UserClient } = openBackend(new CallWorld())
  const found = [
    ...pathsOf(ApplicationClient, 'ApplicationClient.'),
    ...methodsOf(ApplicationClient.commands.guild(GUILD)).map(
      (name) => `ApplicationClient.commands.guild().${name}`,
    ),
    ...methodsOf(ApplicationClient.commands.permissions(GUILD)).map(
      (name) => `ApplicationClient.commands.permissions().${name}`,
    ),
    ...pathsOf(UserClient, 'UserClient.'),
    ...methodsOf(UserClient.commandPermissions(GUILD)).map(
      (name) => `UserClient.commandPermissions().${name}`,
    ),
  ]
  ApplicationClient.close()
  UserClient.close()
  // Without a scope they are refused, whatever they get.
  return found.filter((path) => !/^ApplicationClient\.commands\.(?!global|guild|permissions)/.test(path))
}

/** Finds a function by its path. `()` calls one with the id of a guild. */
export function findFunction(
  root: object,
  path: string,
): { owner: object; call: (...args: unknown[]) => unknown } {
  const parts = path.split('.')
  const name = parts.pop() ?? ''
  const owner = parts.reduce<unknown>((at, part) => {
    const member: unknown = Reflect.get(Object(at), part.replace('()', ''))
    return part.endsWith('()') ? Reflect.apply(member as () => unknown, at, [GUILD]) : member
  }, root) as object
  return { owner, call: (...args) => Reflect.apply(Reflect.get(owner, name) as () => unknown, owner, args) }
}
