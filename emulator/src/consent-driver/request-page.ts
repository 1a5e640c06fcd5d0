/** Requests a page of this emulator as a browser without scripts does. Not with `fetch`, which test environments replace by one of a page. */
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { CookieJar } from './cookie-jar.js'

export interface Page {
  status: number
  body: string
  /** Where it sends the browser. */
  location: string | undefined
  /** The rule that refused the request. */
  rule: string | undefined
}

/** Sends and stores cookies; follows no redirect. Default: without a `form`, a GET request. */
export async function requestPage(url: URL, jar: CookieJar, form?: Record<string, string>): Promise<Page> {
  const body = form === undefined ? undefined : String(new URLSearchParams(form))
  const type = { Origin: url.origin, 'Content-Type': 'application/x-www-form-urlencoded' }
  const headers = { Accept: 'text/html', Cookie: jar.header(url.pathname), ...(body === undefined ? {} : type) }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url.href, { method: body === undefined ? 'GET' : 'POST', headers, agent: false }, resolve)
      .on('error', reject)
      .end(body)
  })
  jar.store(response.headers['set-cookie'] ?? [])
  const rule = response.headers['x-emulator-rule']
  return { status: response.statusCode ?? 0, body: await text(response), location: response.headers.location, rule: rule?.toString() }
}
