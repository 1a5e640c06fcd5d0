/** Serves the files of ATTACHMENT options under the `url` of their attachment objects. */
import { Hono } from 'hono'
import { notFound } from '../api/api-error.js'
import type { Attachments } from './attachments.js'

/** A file may be an HTML document: serve it as a download, and sandbox it (without an origin) if it is opened anyway. */
const HEADERS = {
  'Content-Disposition': 'attachment',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
}

export function createAttachmentRoutes(attachments: Attachments): Hono {
  const routes = new Hono()
  routes.get('/attachments/:channel/:id/:filename', (c) => {
    const { channel, id, filename } = c.req.param()
    const file = attachments.find(id)
    if (file === undefined || file.channelId !== channel || file.filename !== filename) return notFound(c)
    return c.body(new Uint8Array(file.bytes), 200, { ...HEADERS, 'Content-Type': file.contentType })
  })
  return routes
}
