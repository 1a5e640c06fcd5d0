/** The page about the native SDK names each of its methods, and what it calls available is there. */
import { readFileSync } from 'node:fs'
import { Client } from 'foyer-sdk'
import * as Server from 'foyer-sdk/server'
import { ApplicationClient, botToken } from 'foyer-sdk/server'
import { expect, test } from 'vitest'
import { CALL_PATHS, CLIENT_EVENTS, Lobby } from '../support/internals'

/** Methods of the native SDK, version 1.6, for accounts, tokens, lobbies and invitations. */
const METHODS = `
  SetApplicationId GetApplicationId GetDefaultPresenceScopes
  GetDefaultCommunicationScopes CreateAuthorizationCodeVerifier Authorize
  AbortAuthorize GetToken RefreshToken
  RevokeToken ExchangeChildToken GetProvisionalToken
  GetTokenFromProvisionalMerge UnmergeIntoProvisionalAccount GetTokenFromDevice
  GetTokenFromDeviceProvisionalMerge AbortGetTokenFromDevice OpenAuthorizeDeviceScreen
  CloseAuthorizeDeviceScreen SetAuthorizeDeviceScreenClosedCallback UpdateToken
  IsAuthenticated FetchCurrentUser SetTokenExpirationCallback
  UpdateProvisionalAccountDisplayName ProvisionalUserMergeCompleted RegisterAuthorizeRequestCallback
  RemoveAuthorizeRequestCallback SetGameWindowPid Connect
  Disconnect GetStatus SetStatusChangedCallback
  SetHttpRequestTimeout CreateOrJoinLobby CreateOrJoinLobbyWithMetadata
  LeaveLobby GetLobbyIds GetLobbyHandle
  SendLobbyMessage SendLobbyMessageWithMetadata GetLobbyMessagesWithLimit
  LinkChannelToLobby UnlinkChannelFromLobby JoinLinkedLobbyGuild
  GetUserGuilds GetGuildChannels SetLobbyCreatedCallback
  SetLobbyDeletedCallback SetLobbyUpdatedCallback SetLobbyMemberAddedCallback
  SetLobbyMemberRemovedCallback SetLobbyMemberUpdatedCallback SetMessageCreatedCallback
  SetMessageUpdatedCallback SetMessageDeletedCallback GetMessageHandle
  GetChannelHandle CanOpenMessageInService OpenMessageInService
  UpdateRichPresence ClearRichPresence SendActivityInvite
  SendActivityJoinRequest SendActivityJoinRequestReply AcceptActivityInvite
  SetActivityInviteCreatedCallback SetActivityInviteUpdatedCallback SetActivityJoinCallback
  SetActivityJoinWithApplicationCallback RegisterLaunchCommand RegisterLaunchSteamApplication
  AddLogCallback
`
  .trim()
  .split(/\s+/)

interface Row {
  method: string
  page: string
  activity: string
  electron: string
  backend: string
}

/** Rows of the table on the page. */
function readRows(page: string): Row[] {
  return [...page.matchAll(/^\| `(\w+)`\s*\| (.+?)\s*\| (.+?)\s*\| (.+?)\s*\| (.+?)\s*\|$/gm)].map(
    ([, method = '', inPage = '', activity = '', electron = '', backend = '']) => ({
      method,
      page: inPage,
      activity,
      electron,
      backend,
    }),
  )
}

const rows = readRows(readFileSync('docs/native-sdk.md', 'utf8'))
const service = { host: 'http://localhost:9' }
const client = new Client({ applicationId: '1', service })
const application = new ApplicationClient({ applicationId: '1', service, credentials: botToken('a.b.c') })

/** Names in code, without the owner that the page explains. */
const names = (cell: string) =>
  [...cell.matchAll(/`(?:Client\.)?([\w.]+)[^`]*`/g)].map(([, name = '']) => name)
const OPTIONS = new Set(['applicationId', 'requestTimeout', 'logger', 'metadata', 'member', 'limit'])
const EVENTS = new Set<string>([
  ...CLIENT_EVENTS,
  'message',
  'updated',
  'memberAdded',
  'memberUpdated',
  'memberRemoved',
  'ended',
])
const has = (owner: object, path: string) => {
  const [name = '', ...rest] = path.split('.')
  const member: unknown = Reflect.get(owner, name)
  return rest.length === 0
    ? name in owner
    : typeof member === 'object' && member !== null && rest.every((each) => each in member)
}
const isOfLobby = (path: string) =>
  path.startsWith('lobby.') && path.slice('lobby.'.length) in Lobby.prototype
const isOfClient = (path: string) =>
  isOfLobby(path) || has(client, path) || path in Client || OPTIONS.has(path) || EVENTS.has(path)

const isCall = (path: string): path is keyof typeof CALL_PATHS => path in CALL_PATHS
const isOfBackend = (path: string) =>
  (path.startsWith('ApplicationClient.')
    ? has({ ApplicationClient: application }, path)
    : has(application, path)) || path in Server

test('every method has a row, in the order of the native SDK', () => {
  expect(rows.map(({ method }) => method)).toEqual(METHODS)
})

test('what a page has is a member, an option or an event of the client or of a lobby', () => {
  expect(rows.filter(({ page }) => !page.startsWith('no')).length).toBeGreaterThan(45)
  expect(rows.flatMap(({ page }) => names(page).filter((name) => !isOfClient(name)))).toEqual([])
  expect(isOfClient('lobby.flyToTheMoon')).toBe(false)
})

test('a window of Electron has exactly the calls that the table of calls allows it', () => {
  const calls = rows.flatMap(({ page, electron }) =>
    names(page)
      .filter(isCall)
      .map((path) => ({ path, electron })),
  )
  // Run in the window itself.
  const own = new Set(['createAuthorizationCodeVerifier', 'lobbies.get'])
  const wrong = calls.filter(
    ({ path, electron }) =>
      electron.startsWith('window') !== (CALL_PATHS[path][0] !== 'none' || own.has(path)),
  )
  expect(calls.length).toBeGreaterThan(30)
  expect(wrong.filter(({ electron }) => electron !== 'as in a page')).toEqual([])
})

test('what a backend has is a member of its client, or exported for it', () => {
  const other = new Set(['applicationId', 'requestTimeout', 'preferredGlobalName'])
  expect(
    rows.flatMap(({ backend }) => names(backend).filter((name) => !isOfBackend(name) && !other.has(name))),
  ).toEqual([])
})
