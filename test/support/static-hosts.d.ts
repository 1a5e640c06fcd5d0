/** Types of the static hosts that tests use, whose packages have none. */
declare module 'serve-handler' {
  import type { IncomingMessage, ServerResponse } from 'node:http'
  export default function serve(
    request: IncomingMessage,
    response: ServerResponse,
    options: { public: string; cleanUrls?: boolean },
  ): Promise<void>
}
declare module 'http-server' {
  import type { Server } from 'node:http'
  const host: { createServer(options: { root: string }): { server: Server } }
  export default host
}
