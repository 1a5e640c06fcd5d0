/** Serves the built site with its headers, as a static host does. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import sirv from 'sirv'

export interface SiteServerOptions {
  folder: string
  /** Content policy of every page. */
  policy: string
  /** Path of the site on the server. Default: `/`. */
  base?: string
  /** Default: a free one. */
  port?: number
}

export interface SiteServer {
  url: string
  close(): Promise<void>
}

export async function serveSite({
  folder,
  policy,
  base = '/',
  port = 0,
}: SiteServerOptions): Promise<SiteServer> {
  const files = sirv(folder, {
    etag: true,
    setHeaders: (response) => void response.setHeader('content-security-policy', policy),
  })
  const server = createServer((request, response) => {
    const { url = '/' } = request
    const refuse = () => {
      response.writeHead(404, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
      })
      response.end(readFileSync(join(folder, '404.html')))
    }
    if (url.startsWith(base)) {
      request.url = `/${url.slice(base.length)}`
      files(request, response, refuse)
    } else refuse()
  })
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return {
    url: `http://127.0.0.1:${address.port}${base}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
