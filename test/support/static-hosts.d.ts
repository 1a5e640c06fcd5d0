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
  import type { Context } from 'node:vm'
  export class JSDOM {
    constructor(html?: string, options?: { url: string; runScripts: 'outside-only' })
    readonly window: Record<string, unknown> & { AbortController: typeof AbortController }
    /** The context of `node:vm` in which the scripts of the window run. */
    getInternalVMContext(): Context
  }
}
declare module 'http-server' {
  import type { Server } from 'node:http'
  const host: { createServer(options: { root: string }): { server: Server } }
  export default host
}
