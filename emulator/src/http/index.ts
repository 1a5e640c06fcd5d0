/** Serves the page at the emulator's address. It shows nothing secret. */
import { Hono } from 'hono'
import type { Stage } from '../activity/stage.js'
import { indexPage } from '../pages/index-page.js'
import { pagePolicy } from '../pages/policy.js'
import type { Service } from '../service.js'

export function createIndex({ url, seed }: Service, stage: Stage): Hono {
  const routes = new Hono()
  routes.get('/', (c) =>
    c.html(indexPage({ url, application: seed.application, players: seed.players, activity: stage.url }), 200, {
      'Content-Security-Policy': pagePolicy(),
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    }),
  )
  return routes
}
