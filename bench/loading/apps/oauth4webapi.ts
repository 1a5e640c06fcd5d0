/** `oauth4webapi` and a popup by hand, without and with a check of the signature. */
import * as oauth from 'oauth4webapi'
import { askPlayer, ENDPOINTS, onClick, REDIRECT_URI, SCOPES, service } from './page'

const CLIENT = { client_id: service.clientId }
const INSECURE = { [oauth.allowInsecureRequests]: true }

export function signInWithPopup({ checkSignature }: { checkSignature: boolean }): void {
  onClick(async () => {
    // Opened in the click; the challenge is computed later.
    const popup = window.open('', '_blank', 'popup,width=480,height=720')
    const [verifier, state, nonce] = [
      oauth.generateRandomCodeVerifier(),
      oauth.generateRandomState(),
      oauth.generateRandomNonce(),
    ]
    const url = new URL(ENDPOINTS.authorization_endpoint)
    const challenge = await oauth.calculatePKCECodeChallenge(verifier)
    url.search = String(
      new URLSearchParams({
        response_type: 'code',
        client_id: service.clientId,
        redirect_uri: REDIRECT_URI,
        scope: SCOPES,
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      }),
    )
    popup?.location.assign(url)
    const callback = await new Promise<string>((resolve) => {
      window.addEventListener(
        'message',
        ({ origin, data }) => origin === location.origin && resolve(String(data)),
      )
    })
    popup?.close()
    const parameters = oauth.validateAuthResponse(ENDPOINTS, CLIENT, new URL(callback), state)
    const response = await oauth.authorizationCodeGrantRequest(
      ENDPOINTS,
      CLIENT,
      oauth.None(),
      parameters,
      REDIRECT_URI,
      verifier,
      INSECURE,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(ENDPOINTS, CLIENT, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    })
    if (checkSignature) await oauth.validateApplicationLevelSignature(ENDPOINTS, response, INSECURE)
    const { id, name } = await askPlayer(tokens.access_token)
    if (id !== oauth.getValidatedIdTokenClaims(tokens)?.sub)
      throw new Error('Another player than that of the ID token.')
    return { id, name }
  })
}
