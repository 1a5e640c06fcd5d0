/** Refuses a request to the API: the service's code and words, and the rule beside them for developers. */
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { headerText } from '../oauth/header-text.js'

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

export function notFound(c: Context): Response {
  return refuse(c, { status: 404, code: 0, message: '404: Not Found', rule: 'no such route' })
}
