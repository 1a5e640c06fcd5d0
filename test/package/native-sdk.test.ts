/** The page about the native SDK names each of its methods, and what it calls available is there. */
import { readFileSync } from 'node:fs'
import { Client } from 'foyer-sdk'
import { expect, test } from 'vitest'

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
  available: string
  how: string
}

/** Rows of the table on the page. */
function readRows(page: string): Row[] {
  return [...page.matchAll(/^\| `(\w+)`\s*\| ([\w ]+?)\s*\| (.+?)\s*\|$/gm)].map(([, method = '', available = '', how = '']) => ({
    method,
    available,
    how,
  }))
}

const rows = readRows(readFileSync('docs/native-sdk.md', 'utf8'))
const client = new Client({ applicationId: '1', service: { host: 'http://localhost:9' } })

/** Names in code that a row mentions and neither the client, its options nor its events have. */
const unknown = ({ how }: Row) =>
  [...how.matchAll(/`(?:Client\.)?(\w+)`/g)]
    .map(([, name = '']) => name)
    .filter((name) => !(name in client || name in Client || isOther(name)))

function isOther(name: string): boolean {
  return (
    ['Client', 'applicationId', 'requestTimeout', 'logger'].includes(name) ||
    readFileSync('src/client/context/client-events.ts', 'utf8').includes(`  ${name}: (`) ||
    /^lobby\w+$/.test(name)
  )
}

test('every method has a row, in the order of the native SDK', () => {
  expect(rows.map(({ method }) => method)).toEqual(METHODS)
})

test('each row says where: here, elsewhere, or not possible', () => {
  expect(rows.filter(({ available }) => !['here', 'elsewhere', 'not possible'].includes(available))).toEqual([])
})

test('what is here is a member, an option or an event of the client', () => {
  const here = rows.filter(({ available }) => available === 'here')
  expect(here.length).toBeGreaterThan(30)
  expect(here.flatMap(unknown)).toEqual([])
  expect(unknown({ method: 'X', available: 'here', how: '`flyToTheMoon`' })).toEqual(['flyToTheMoon'])
})
