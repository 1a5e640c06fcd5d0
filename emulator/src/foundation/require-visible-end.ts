/** Refuses requests whose end nobody can see, before anything that they ask for is done. Node's own parser answers 400 too, but later. */
import type { IncomingMessage, RequestListener } from 'node:http'

/** RFC 9112 section 6.3: without `chunked` as the last coding, the server must answer 400 and close the connection. */
export function requireVisibleEnd(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (hasVisibleEnd(request)) listener(request, response)
    else response.writeHead(400, { connection: 'close' }).end()
  }
}

function hasVisibleEnd({ headers }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding']
  return coding === undefined || /(?:^|,)\s*chunked\s*$/i.test(coding)
}
