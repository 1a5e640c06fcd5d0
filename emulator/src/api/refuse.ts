/** Refuses a request: the service's code and words, and the rule beside them for developers. */
import type { ServerResponse } from 'node:http'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { headerText } from '../foundation/header-text.js'
import { notFoundPage } from '../pages/not-found-page.js'
import { pagePolicy } from '../pages/policy.js'

export interface Refusal {
  status: ContentfulStatusCode
  code: number
  message: string
  rule: string
}

export function refuse(c: Context, { status, code, message, rule }: Refusal): Response {
  return c.json({ message, code }, status, { 'X-Emulator-Rule': headerText(rule) })
}

export function unauthorized(c: Context, rule: string): Response {
  return refuse(c, { status: 401, code: 0, message: '401: Unauthorized', rule })
}

/** A page for people, outside the API; JSON for programs. */
export function notFoundAnywhere(c: Context): Response | Promise<Response> {
  if (c.req.path.startsWith('/api/') || !wantsPage(c)) return notFound(c)
  return c.html(notFoundPage(c.req.path), 404, {
    'X-Emulator-Rule': 'no such route',
    'Content-Security-Policy': pagePolicy(),
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
  })
}

/** Browsers ask for HTML by name when a person goes to an address. */
export function wantsPage(c: Context): boolean {
  return c.req.header('accept')?.includes('text/html') === true
}

export function notFound(c: Context): Response {
  return refuse(c, { status: 404, code: 0, message: '404: Not Found', rule: 'no such route' })
}

/** Refuses a request that reached a page from elsewhere. The answer is the same for people and programs: the sender is no caller of ours. */
export function refuseForeign(response: ServerResponse, { rule, hosts }: { rule: string; hosts: ReadonlySet<string> }): void {
  const addresses = [...hosts].map((host) => `http://${host}`).join(', ')
  const message = `Refused: ${rule}. The pages and the control plane answer at ${addresses} only, and to their own pages only.`
  response.writeHead(403, { 'Content-Type': 'application/json', 'X-Emulator-Rule': headerText(rule), 'Cache-Control': 'no-store' })
  response.end(JSON.stringify({ code: 'refused', message }))
}
