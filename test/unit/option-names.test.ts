/** A misspelt option is an error that names the one that was probably meant, in every public entry and call. */
import { describe, expect, test } from 'vitest'
import { Client, ConfigurationError, popupSurface, redirectSurface } from 'foyer-sdk'
import {
  ApplicationClient,
  createLobbyHub,
  createPlayerTickets,
  createPlayerVerifier,
  createSessionHandler,
} from 'foyer-sdk/server'

const options = {
  applicationId: '1287654321098765433',
  service: { host: 'https://service.example' },
  fetch: async () => Response.error(),
}
const createClient = (extra: object = {}) => new Client({ ...options, ...extra })

/** Calls something with options that TypeScript would refuse. */
type Wrong = (given: never) => unknown

/** The name of a call, the call, the options with a wrong name, and the name that was meant. */
const ENTRIES: readonly (readonly [string, Wrong, object, string])[] = [
  ['new Client', (given) => createClient(given), { store: {} }, 'tokenStore'],
  ['new Client', (given) => createClient(given), { clientId: '1' }, 'applicationId'],
  ['new Client', (given) => createClient(given), { client_id: '1' }, 'applicationId'],
  ['new Client', (given) => createClient(given), { host: 'https://service.example' }, 'service'],
  ['new Client', (given) => createClient(given), { authority: 'https://service.example' }, 'service'],
  ['new Client', (given) => createClient(given), { tokenstore: {} }, 'tokenStore'],
  ['new Client', (given) => createClient(given), { redirect_uri: 'x' }, 'redirectUri'],
  ['new Client', (given) => createClient(given), { backendOrigin: ['x'] }, 'backendOrigins'],
  ['new Client', (given) => createClient(given), { lobbyUpdate: {} }, 'lobbyUpdates'],
  [
    'new Client, service',
    (given) => createClient({ service: given }),
    { host: 'https://service.example', brands: 'service' },
    'service.brand',
  ],
  ['popupSurface', (given) => popupSurface(given), { redirectURI: 'x' }, 'redirectUri'],
  ['popupSurface', (given) => popupSurface(given), { widht: 3 }, 'width'],
  ['redirectSurface', (given) => redirectSurface(given), { redirectUrl: 'x' }, 'redirectUri'],
  ['client.on', (given) => createClient().on('log', () => undefined, given), { abortSignal: 0 }, 'signal'],
  ['signIn', (given) => createClient().signIn(given), { scope: 'openid' }, 'scopes'],
  ['signIn', (given) => createClient().signIn(given), { argz: {} }, 'args'],
  ['authorize', (given) => createClient().authorize({ scopes: 'openid' }, given), { timeOut: 3 }, 'timeout'],
  ['signOut', (given) => createClient().signOut(given), { revoked: true }, 'revoke'],
  ['refreshToken', (given) => createClient().refreshToken(null, given), { signals: 0 }, 'signal'],
  ['updateToken', (given) => createClient().updateToken('token', given), { Signal: 0 }, 'signal'],
  ['revokeToken', (given) => createClient().revokeToken('token', given), { sginal: 0 }, 'signal'],
  [
    'createOrJoinLobby',
    (given) => createClient().createOrJoinLobby('moon', given),
    { memberMetadata: {} },
    'member',
  ],
  [
    'createOrJoinLobby',
    (given) => createClient().createOrJoinLobby('moon', given),
    { lobbyMetadata: {} },
    'metadata',
  ],
  [
    'createOrJoinLobby',
    (given) => createClient().createOrJoinLobby('moon', given),
    { idle_timeout: 5000 },
    'idleTimeout',
  ],
  [
    'fetchCurrentUser',
    (given) => createClient().fetchCurrentUser(given),
    { access_token: 'x' },
    'accessToken',
  ],
  ['lobbies.fetchGuilds', (given) => createClient().lobbies.fetchGuilds(given), { signa: 0 }, 'signal'],
  [
    'accounts.getToken',
    (given) => createClient().accounts.getToken({ externalAuthToken: 'x', externalAuthType: 'OIDC' }, given),
    { signl: 0 },
    'signal',
  ],
  [
    'accounts.getTokenFromDevice',
    (given) => createClient().accounts.getTokenFromDevice({ scopes: 'openid' }, given),
    { onUsercode: 0 },
    'onUserCode',
  ],
  [
    'new ApplicationClient',
    (given) => new ApplicationClient(given),
    { ...options, credential: {} },
    'credentials',
  ],
  [
    'createPlayerVerifier',
    (given) => createPlayerVerifier(given),
    { ...options, accessToken: true },
    'accessTokens',
  ],
  ['createLobbyHub', (given) => createLobbyHub(given), { away_after: 3 }, 'awayAfter'],
  ['createPlayerTickets', (given) => createPlayerTickets(given), { stores: {} }, 'store'],
  ['createSessionHandler', (given) => createSessionHandler(given), { origin: [] }, 'origins'],
]

describe('an unknown option', () => {
  test.each(ENTRIES)(
    'of %s is refused, with the name that was meant: %#',
    async (...[, call, wrong, meant]) => {
      const attempt = Promise.resolve().then(() => call(wrong as never))
      await expect(attempt).rejects.toBeInstanceOf(ConfigurationError)
      await expect(attempt).rejects.toMatchObject({
        code: 'invalid_argument',
        message: expect.stringContaining(`Did you mean ${meant}`),
      })
    },
  )

  test('that resembles none is refused with all names', () => {
    expect(() => createClient({ colour: 'red' })).toThrow(/Known: applicationId, service/)
  })

  test('is not the event of a click: button.onclick = client.signIn', async () => {
    // oxlint-disable-next-line typescript/unbound-method -- the subject of this test.
    const { signIn } = createClient()
    // In Node there is no window to open; the options were accepted.
    await expect(signIn(new Event('click') as never)).rejects.toMatchObject({ code: 'unsupported' })
  })
})
