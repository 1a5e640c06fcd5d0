/** Serves the index page. It contains no secrets. */
import { Hono } from 'hono'
import type { ActivityService } from '../activity/activity-service.js'
import { indexPage } from '../pages/index-page.js'
import { pagePolicy } from '../pages/page-policy.js'
import type { EmulatorContext } from '../context/emulator-context.js'

export function createIndexPageRoute({ url, seed }: EmulatorContext, activity: ActivityService): Hono {
  const routes = new Hono()
  routes.get('/', (c) =>
    c.html(indexPage({ url, application: seed.application, players: seed.players, activity: activity.url, game: activity.game }), 200, {
      'Content-Security-Policy': pagePolicy(),
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    }),
  )
  return routes
}
