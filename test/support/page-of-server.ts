/** A page of a game in front of a real server: its requests go over HTTP to a port of this machine, with the origin and the cookies of the page. */
import type { Emulator } from 'foyer-emulator'
import { PageOfBackend } from './page-of-backend'

/** @param port of the server. @param origin of the page. Default: that of the server. */
export function pageOfServer(
  emulator: Emulator,
  port: number,
  { origin = `http://127.0.0.1:${port}` }: { origin?: string } = {},
): PageOfBackend {
  const send = async (request: Request) => {
    const { pathname, search } = new URL(request.url)
    return fetch(`http://127.0.0.1:${port}${pathname}${search}`, {
      method: request.method,
      headers: request.headers,
      redirect: 'manual',
      ...(request.body && { body: await request.text() }),
    })
  }
  return new PageOfBackend(emulator, send, { origin })
}
