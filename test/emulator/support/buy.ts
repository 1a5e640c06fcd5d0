/** A player who buys in the Activity: the messages of a game, and the answer to the dialog. */
import type { Emulator } from 'foyer-emulator'

/** @param emulator with an `activityUrl`. */
export async function buy(
  { activity, application }: Emulator,
  { as, sku }: { as: string; sku: string },
): Promise<void> {
  const root = activity.url ?? ''
  const post = (path: string, body: unknown) =>
    fetch(root + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: new URL(root).origin },
      body: JSON.stringify(body),
    })
  const { instanceId } = activity.launch({ as })
  const opened = (await (await post('windows', { instance_id: instanceId, as })).json()) as {
    window: string
    frames: { id: string }[]
  }
  const frame = opened.frames[0]?.id
  const stream = await fetch(`${root}windows/${opened.window}/events`)
  const send = (message: unknown) => post(`windows/${opened.window}/frames/${frame}`, { message })
  await send([0, { v: 1, encoding: 'json', client_id: application.id, frame_id: frame }])
  await send([1, { cmd: 'START_PURCHASE', args: { sku_id: sku }, nonce: '1' }])
  let text = ''
  for await (const chunk of stream.body as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString()
    const dialog = /"dialog":\{[^\n]*"id":"([0-9a-f]{24})"/.exec(text)?.[1]
    if (dialog !== undefined) await post(`dialogs/${dialog}`, { action: 'buy' })
    if (dialog !== undefined || text.includes('"evt":"ERROR"')) break
  }
}
