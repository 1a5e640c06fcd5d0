/** Control plane for snapshots of the state: save, restore, export and import. */
import { Hono } from 'hono'
import { EmulatorError } from '../foundation/emulator-error.js'
import { fieldsOf, textOf } from '../foundation/type-guards.js'
import { SavedSnapshots } from '../state/saved-snapshots.js'
import { parseSnapshot } from '../state/snapshot.js'
import type { Controls } from './create-control.js'

export function createSnapshotControl(controls: Pick<Controls, 'snapshot' | 'restore'>): Hono {
  const routes = new Hono()
  const saved = new SavedSnapshots()
  routes.get('/_emulator/snapshots', (c) => c.json(saved.list()))
  routes.post('/_emulator/snapshots', async (c) => {
    saved.save(nameIn(await c.req.json()), controls.snapshot())
    return c.json(saved.list())
  })
  routes.post('/_emulator/snapshots/restore', async (c) => {
    controls.restore(saved.find(nameIn(await c.req.json())))
    return c.body(null, 204)
  })
  routes.post('/_emulator/snapshots/export', async (c) => c.json(saved.find(nameIn(await c.req.json()))))
  routes.post('/_emulator/snapshots/import', async (c) => {
    const { name, snapshot } = fieldsOf(await c.req.json())
    saved.save(textOf(name) ?? '', parseSnapshot(snapshot))
    return c.json(saved.list())
  })
  routes.onError((error, c) => {
    if (error instanceof EmulatorError) return c.json({ code: error.code, message: error.message }, 400)
    if (error instanceof SyntaxError) return c.json({ code: 'bad_request', message: 'The body must be JSON.' }, 400)
    throw error
  })
  return routes
}

function nameIn(body: unknown): string {
  return textOf(fieldsOf(body)['name']) ?? ''
}
