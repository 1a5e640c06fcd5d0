/** Types of packages that tests use and that have none: static hosts, and a DOM. */
declare module 'serve-handler' {
  import type { IncomingMessage, ServerResponse } from 'node:http'
  export default function serve(
    request: IncomingMessage,
    response: ServerResponse,
    options: { public: string; cleanUrls?: boolean },
  ): Promise<void>
}
declare module 'jsdom' {
  export class JSDOM {
    readonly window: Record<string, unknown> & { AbortController: typeof AbortController }
  }
}
declare module 'http-server' {
  import type { Server } from 'node:http'
  const host: { createServer(options: { root: string }): { server: Server } }
  export default host
}
