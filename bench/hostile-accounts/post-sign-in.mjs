/** A request to sign in, as a page behind a proxy sends it: the proxy names the address of the caller. */
import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: true })
/** ms after which nobody waits for an answer any more. */
const LOST = 10_000

/** Resolves with the status; 0 is a connection that was reset, or no answer. */
export const postSignIn = (url, { body, origin, address }) =>
  new Promise((resolve) => {
    const headers = {
      origin,
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': address,
    }
    const signal = AbortSignal.timeout(LOST)
    const outgoing = request(
      `${url}/session/sign-in`,
      { method: 'POST', agent, headers, signal },
      (response) => {
        response.resume()
        response.on('close', () => resolve(response.statusCode))
      },
    )
    outgoing.on('error', () => resolve(0))
    outgoing.end(JSON.stringify(body))
  })
