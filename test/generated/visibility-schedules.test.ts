/** Over all orders and delays of responses: a private text is seen by its player alone. `npm run fuzz` tries 10,000. */
import * as fc from 'fast-check'
import { type Answerable, createInteractionHandler, defineCommand } from 'foyer-sdk/server'
import { beforeAll, expect, it } from 'vitest'
import { ChannelModel, JumpingClock } from '../unit/interactions/channel-model'
import { invocation, Sender, Signer, slash } from '../unit/interactions/signed-sender'

const RUNS = Number(process.env['SCHEDULES'] ?? 2000)
const DECLARED = [undefined, 'private', 'public'] as const

const step = fc.record({
  call: fc.constantFrom('defer', 'reply', 'followUp', 'editReply', 'deleteReply', 'update', 'fail', 'return'),
  ephemeral: fc.constantFrom(undefined, true, false),
  /** ms before the call. */
  delay: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3000 })),
  isAwaited: fc.boolean(),
})
const schedule = fc.record({
  kind: fc.constantFrom('command', 'component', 'modal', 'modal of a component'),
  isSourcePrivate: fc.boolean(),
  visibility: fc.constantFrom(...DECLARED),
  /** ms until the request arrives, until its response arrives, and of each way of a call. */
  requestDelay: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2500 })),
  responseDelay: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2500 })),
  callDelay: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 800 })),
  steps: fc.array(step, { minLength: 1, maxLength: 5 }),
})

type Step = (typeof step extends fc.Arbitrary<infer T> ? T : never) & { text: string }
type Schedule = typeof schedule extends fc.Arbitrary<infer T> ? T : never
type Interaction = Answerable & { update?: Answerable['reply'] }

let signer: Signer
beforeAll(async () => {
  signer = await Signer.create()
})

/** Texts of calls that resolved, with what they asked for. */
interface Confirmations {
  readonly confirmed: Step[]
}

async function perform(interaction: Interaction, each: Step, { confirmed }: Confirmations): Promise<void> {
  const { call, ephemeral, text } = each
  const message = { content: text, ...(ephemeral !== undefined && { ephemeral }) }
  if (call === 'defer') await interaction.defer(ephemeral === undefined ? {} : { ephemeral })
  else if (call === 'deleteReply') await interaction.deleteReply()
  else if (call === 'fail') throw new Error('of the handler')
  else if (call !== 'return') {
    await interaction[call]?.(message)
    confirmed.push(each)
  }
}

async function run({ kind, visibility, isSourcePrivate, steps, ...delays }: Schedule) {
  const clock = new JumpingClock()
  const model = new ChannelModel(
    clock,
    delays,
    kind.endsWith('component') ? { isPrivate: isSourcePrivate } : undefined,
  )
  const record: Confirmations = { confirmed: [] }
  const texts = steps.map((each, index): Step => ({ ...each, text: `text ${index}` }))
  const handle = async (interaction: Interaction) => {
    for (const each of texts) {
      await model.sleep(each.delay)
      const { text, ephemeral } = each
      if (each.call === 'return') return { content: text, ...(ephemeral !== undefined && { ephemeral }) }
      const done = perform(interaction, each, record)
      // The handler goes on after a failed call, as one that expects failures does.
      if (each.call === 'fail') await done
      else if (each.isAwaited) await done.catch(() => undefined)
      else done.catch(() => undefined)
    }
    return undefined
  }
  const handler = createInteractionHandler({
    publicKey: signer.publicKey,
    commands: [defineCommand({ name: 'x', description: 'd' }, handle)],
    onComponent: handle,
    onModal: handle,
    service: { host: 'https://service.example' },
    errorMessage: () => 'an error',
    onError: () => undefined,
    clock,
    fetch: model.fetch,
    ...(visibility && { visibility }),
  })
  const request = await new Sender(signer, { clock }).request(payloadOf(kind, isSourcePrivate))
  clock.advance(delays.requestDelay)
  await model.deliver(handler, request)
  return { model, texts, confirmed: record.confirmed }
}

function payloadOf(kind: Schedule['kind'], isSourcePrivate: boolean): object {
  const message = { id: '99', channel_id: '1', content: 'source', flags: isSourcePrivate ? 64 : 0 }
  if (kind === 'component')
    return { ...invocation({}), type: 3, message, data: { custom_id: 'a', component_type: 2 } }
  const modal = { ...invocation({}), type: 5, data: { custom_id: 'a', components: [] } }
  if (kind === 'modal of a component') return { ...modal, message }
  return kind === 'modal' ? modal : slash('x')
}

it(
  'a private text, and the message of a failure, is never visible to a second player, and a public one is visible',
  async () => {
    const seen = { private: 0, public: 0, errors: 0 }
    const property = async (given: Schedule) => {
      const { model, texts, confirmed } = await run(given)
      // A public deferral by the handler applies to its reply, and an edit does not change who sees the message.
      const isPublic = texts.some(({ call, ephemeral }) => call === 'defer' && ephemeral === false)
      const isDeclared = given.visibility === 'private' && !isPublic
      const isPrivate = ({ call, ephemeral }: Step) =>
        ephemeral ?? (isDeclared && call !== 'editReply' && call !== 'update')
      const leaked = texts.filter((each) => isPrivate(each) && model.seenByOthers.has(each.text))
      expect(leaked).toEqual([])
      expect(model.seenByOthers).not.toContain('an error')
      const asked = confirmed.filter(({ call, ephemeral }) => call === 'followUp' && ephemeral !== undefined)
      const unseen = asked.filter(
        ({ ephemeral, text }) => !(ephemeral ? model.seenByPlayer : model.seenByOthers).has(text),
      )
      expect(unseen).toEqual([])
      seen.private += texts.filter((each) => isPrivate(each) && model.seenByPlayer.has(each.text)).length
      seen.public += model.seenByOthers.size
      seen.errors += Number(model.seenByPlayer.has('an error'))
    }
    await fc.assert(fc.asyncProperty(schedule, property), { numRuns: RUNS })
    // Otherwise the schedules would show nothing.
    expect(Math.min(seen.private, seen.public, seen.errors)).toBeGreaterThan(RUNS / 20)
  },
  RUNS * 100,
)
