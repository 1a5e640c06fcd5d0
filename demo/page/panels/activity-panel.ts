/** Activity panel: a link to the host window; inside it, the handshake and the list of participants. */
import type { ActivityParticipant, Client } from 'foyer-sdk'
import type { Mount } from '../panel-context'
import { explain } from '../game/error-advice'
import { h } from '../ui/create-element'
import { icon } from '../ui/icons'

export const mountActivity: Mount = (element, context) => {
  const { connection, preset } = context
  connection.subscribe(({ client }) => {
    const launch = client?.getActivityLaunch()
    if (client && launch) return inside(element, client)
    if (!preset?.activity || !context.faultControls()) return element.replaceChildren()
    element.replaceChildren(
      h('a', { href: preset.activity, target: '_blank', rel: 'noopener' }, ['Open as an Activity']),
      ' in the emulator’s host window: several players side by side, without popups. See every request in its ',
      h('a', { href: 'inspector', target: '_blank', rel: 'noopener' }, ['Inspector']),
      ', and use commands in its ',
      h('a', { href: `${preset.host}/chat`, target: '_blank', rel: 'noopener' }, ['Chat']),
      '.',
    )
  })
}

function inside(element: HTMLElement, client: Client): void {
  const state = h('span', { role: 'status' }, ['Connecting to the host window …'])
  const people = h('span', { class: 'people' })
  element.replaceChildren(icon('screen'), ' ', state, people)
  const show = (participants: readonly ActivityParticipant[]) => {
    people.textContent = ` Here: ${participants.map(({ globalName, username }) => globalName ?? username).join(', ')}.`
  }
  client.subscribe('activityParticipants', ({ participants }) => show(participants))
  client.subscribe('activityClosed', ({ code }) => (state.textContent = `The host window ended the Activity: ${code}.`))
  void meet().catch((error: unknown) => (state.textContent = `The host window did not respond: ${explain(error).code}.`))

  async function meet(): Promise<void> {
    const participants = await client.getActivityParticipants()
    state.textContent = 'An Activity: the host window asks the player.'
    show(participants)
  }
}
