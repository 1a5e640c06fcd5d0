/** Sign-in with oauth4webapi: the same protocol by a library that is unrelated to Foyer. Loaded when it is first used. */
import * as oauth from 'oauth4webapi'
import type { Addresses } from '../game/addresses-of'
import { discoverServer } from './discover-server'
import { factsOf, roundedDuration, type Facts, type Stage } from './report'

export interface IndependentSettings {
  addresses: Addresses
  clientId: string
  redirectUri: string
  scopes: string
  /** Authentication of the client at the token endpoint. */
  method: 'none' | 'post' | 'basic'
  secret: string
  /** Difference of the clock to the one of this machine, in ms. */
  ahead: number
}

export type Send = (url: string, init: RequestInit) => Promise<Response>

/** Sign-in that waits for the player. */
export interface Attempt {
  url: string
  state: string
  nonce: string
  verifier: string
  server: oauth.AuthorizationServer
  notes: readonly string[]
}

/** Code that the player enters on another device. */
export interface DeviceCode {
  userCode: string
  verificationUri: string
  verificationUriComplete: string
  /** Epoch ms. */
  expiresAt: number
}

export class IndependentClient {
  readonly #settings: IndependentSettings
  readonly #client: oauth.Client
  readonly #authentication: oauth.ClientAuth
  readonly #options: oauth.DiscoveryRequestOptions & oauth.TokenEndpointRequestOptions
  #server: oauth.AuthorizationServer | undefined
  #tokens: oauth.TokenEndpointResponse | undefined

  /** @param signal aborts requests. */
  constructor(settings: IndependentSettings, send: Send, signal: AbortSignal) {
    const { clientId, ahead, method, secret } = settings
    this.#settings = settings
    this.#client = {
      client_id: clientId,
      [oauth.clockSkew]: Math.round(ahead / 1000),
      [oauth.clockTolerance]: 60,
    }
    this.#authentication =
      method === 'none'
        ? oauth.None()
        : method === 'post'
          ? oauth.ClientSecretPost(secret)
          : oauth.ClientSecretBasic(secret)
    // The page accepts `http:` on this machine only: Foyer rejects all other settings, and so does the content policy.
    this.#options = {
      signal,
      [oauth.customFetch]: (url, init) => send(url, { ...init, body: init.body ?? null }),
      [oauth.allowInsecureRequests]: true,
    }
  }

  /** Reads the metadata of the issuer and builds the authorize URL. @throws StageError */
  async prepare(): Promise<Attempt> {
    const { clientId, redirectUri, scopes, addresses } = this.#settings
    const { server, notes } = await at('discovery', discoverServer(addresses, this.#options))
    this.#server = server
    const [state, nonce, verifier] = [
      oauth.generateRandomState(),
      oauth.generateRandomNonce(),
      oauth.generateRandomCodeVerifier(),
    ]
    const url = new URL(server.authorization_endpoint ?? addresses.authorizeUrl)
    const parameters = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: scopes,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(isOpenId(scopes) && { nonce }),
    }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    return { url: url.href, state, nonce, verifier, server, notes }
  }

  /** Checks the callback and redeems its code. @throws StageError */
  async finish({ server, state, nonce, verifier }: Attempt, callbackUrl: string): Promise<Facts> {
    const { redirectUri, scopes } = this.#settings
    const parameters = await at('callback', async () =>
      oauth.validateAuthResponse(server, this.#client, new URL(callbackUrl), state),
    )
    const response = await at(
      'token request',
      oauth.authorizationCodeGrantRequest(
        server,
        this.#client,
        this.#authentication,
        parameters,
        redirectUri,
        verifier,
        this.#options,
      ),
    )
    const expected = isOpenId(scopes) ? { expectedNonce: nonce, requireIdToken: true } : {}
    const tokens = await at(
      'token request',
      oauth.processAuthorizationCodeResponse(server, this.#client, response, expected),
    )
    return this.#hold(server, tokens, response)
  }

  /** Refreshes the tokens; returns the result in words. @throws StageError */
  async refresh(): Promise<string> {
    const { server, tokens } = this.#held()
    const token = tokens.refresh_token
    if (token === undefined) return 'The service issued no refresh token.'
    const response = await at(
      'token request',
      oauth.refreshTokenGrantRequest(server, this.#client, this.#authentication, token, this.#options),
    )
    const next = await at('token request', oauth.processRefreshTokenResponse(server, this.#client, response))
    this.#tokens = { ...tokens, ...next }
    const isRotated = next.refresh_token !== undefined && next.refresh_token !== token
    return `Refreshed: a new access token came, and the refresh token ${isRotated ? 'was replaced' : 'stayed the same'}.`
  }

  /** Revokes the refresh token, or the access token where there is none. @throws StageError */
  async revoke(): Promise<string> {
    const { server, tokens } = this.#held()
    if (server.revocation_endpoint === undefined) return 'The issuer publishes no revocation endpoint.'
    const token = tokens.refresh_token ?? tokens.access_token
    const response = await at(
      'token request',
      oauth.revocationRequest(server, this.#client, this.#authentication, token, this.#options),
    )
    await at('token request', oauth.processRevocationResponse(response))
    return `The service accepted the revocation of the ${tokens.refresh_token === undefined ? 'access' : 'refresh'} token. Refresh to see it refused.`
  }

  /** Requests a device code and polls until the player decides. @throws StageError */
  async device(onCode: (code: DeviceCode) => void, onPoll: (seconds: number) => void): Promise<Facts> {
    const { addresses, scopes } = this.#settings
    const { server } = await at('discovery', discoverServer(addresses, this.#options))
    if (server.device_authorization_endpoint === undefined)
      throw new StageError(
        'discovery',
        'no_device_endpoint',
        'The issuer publishes no device authorization endpoint.',
      )
    const asked = await at(
      'authorize page',
      oauth.deviceAuthorizationRequest(
        server,
        this.#client,
        this.#authentication,
        { scope: scopes },
        this.#options,
      ),
    )
    const device = await at(
      'authorize page',
      oauth.processDeviceAuthorizationResponse(server, this.#client, asked),
    )
    const {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: page,
      expires_in: lifetime,
    } = device
    onCode({
      userCode,
      verificationUri: page,
      verificationUriComplete: device.verification_uri_complete ?? page,
      expiresAt: Date.now() + lifetime * 1000,
    })
    for (let interval = device.interval ?? 5; ;) {
      await pause(interval * 1000, this.#options.signal)
      const response = await at(
        'token request',
        oauth.deviceCodeGrantRequest(server, this.#client, this.#authentication, deviceCode, this.#options),
      )
      try {
        return await this.#hold(
          server,
          await oauth.processDeviceCodeResponse(server, this.#client, response),
          response,
        )
      } catch (error) {
        const code = error instanceof oauth.ResponseBodyError ? error.error : ''
        if (code === 'slow_down') interval += 5
        else if (code !== 'authorization_pending')
          throw error instanceof StageError ? error : toStageError('token request', error)
        onPoll(interval)
      }
    }
  }

  /** Verifies the signature of the ID token, and stores the tokens in memory. */
  async #hold(
    server: oauth.AuthorizationServer,
    tokens: oauth.TokenEndpointResponse,
    response: Response,
  ): Promise<Facts> {
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    if (claims) await at('ID token', oauth.validateApplicationLevelSignature(server, response, this.#options))
    this.#server = server
    this.#tokens = tokens
    return factsOf(claims, {
      scopes: (tokens.scope ?? this.#settings.scopes).split(' ').toSorted().join(' '),
      lifetime: tokens.expires_in === undefined ? 'not stated' : roundedDuration(tokens.expires_in * 1000),
      refreshToken: tokens.refresh_token === undefined ? 'no' : 'yes',
    })
  }

  #held(): { server: oauth.AuthorizationServer; tokens: oauth.TokenEndpointResponse } {
    if (!this.#server || !this.#tokens) throw new StageError('settings', 'signed_out', 'Sign in first.')
    return { server: this.#server, tokens: this.#tokens }
  }
}

function isOpenId(scopes: string): boolean {
  return scopes.split(' ').includes('openid')
}

/** Names the stage in an error. */
async function at<T>(stage: Stage, work: Promise<T> | (() => Promise<T>)): Promise<T> {
  try {
    return await (typeof work === 'function' ? work() : work)
  } catch (error) {
    throw toStageError(stage, error)
  }
}

function toStageError(stage: Stage, error: unknown): StageError {
  return new StageError(stageOfError(stage, error), ...wordsOf(error))
}

function pause(ms: number, signal: oauth.DiscoveryRequestOptions['signal']): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    if (signal instanceof AbortSignal)
      signal.addEventListener('abort', () => {
        clearTimeout(timer)
        reject(new StageError('authorize page', 'aborted', 'The sign-in was cancelled.'))
      })
  })
}

/** Error of oauth4webapi with the stage at which it occurred, in its own words. */
class StageError extends Error {
  override readonly name = 'StageError'
  readonly stage: Stage
  readonly code: string

  constructor(stage: Stage, code: string, message: string) {
    super(message)
    this.stage = stage
    this.code = code
  }
}

/** Returns a more exact stage, where the error names one. */
function stageOfError(stage: Stage, error: unknown): Stage {
  if (error instanceof oauth.AuthorizationResponseError) return 'authorize page'
  const code = error instanceof oauth.OperationProcessingError ? (error.code ?? '') : ''
  const isOfIdToken =
    /JWT|KEY_SELECTION/.test(code) ||
    (error instanceof Error && /"id_token"|JWT|signature/.test(error.message))
  return stage === 'token request' && isOfIdToken ? 'ID token' : stage
}

/** Code and description of an error. The description of a service is untrusted, and is shown as text only. */
function wordsOf(error: unknown): [code: string, text: string] {
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError)
    return [error.error, error.error_description ?? 'The service gives no description.']
  if (error instanceof TypeError)
    return ['connection_failed', 'No response: is the service running, and does it allow this origin (CORS)?']
  if (error instanceof DOMException && error.name === 'AbortError')
    return ['aborted', 'The sign-in was cancelled.']
  const code = error instanceof oauth.OperationProcessingError ? error.code : undefined
  return [
    code?.replace(/^OAUTH_/, '').toLowerCase() ?? 'unexpected',
    `${error instanceof Error ? error.message : String(error)}.`,
  ]
}
