/** A player who uses everything that a bot offers; returns what the player sees. */
import type { Emulator, Outcome } from 'foyer-emulator'
import { FILE } from './bot-commands'
import { expect } from 'vitest'

const ada = { as: 'ada' }

/** The view of a player of any of the bots, by step. */
export const EXPECTED = {
  all: 'some words 7 true bruno general Regular zoe 0.5 me.txt',
  suggestions: ['apple', 'apricot'],
  find: 'found apple',
  form: 'named Ada',
  colour: 'chose blue',
  who: 'chose bruno',
  press: 'pressed',
  slow: ['done', 'and more'],
  send: FILE.text,
  deep: 'down below',
  user: 'poked bruno',
  message: 'quoted look',
}

/** The text that the player reads, or the reason why there is none. */
const textOf = ({ message, because }: Outcome) => message?.content ?? because ?? ''

export async function useEveryCommand(emulator: Emulator): Promise<typeof EXPECTED> {
  const { interactions, users } = emulator
  const [, bruno] = users
  const zoe = users.find(({ username }) => username === 'zoe')
  const channel = interactions.channels('ada').find(({ name }) => name === 'general')?.id ?? ''
  const use = async (command: string, more: object = {}) => interactions.use({ ...ada, command, ...more })
  const newest = () => interactions.messages({ as: 'ada' }).at(-1)
  const options = [
    { name: 'text', value: 'some words' },
    { name: 'whole', value: 7 },
    { name: 'yes', value: true },
    { name: 'user', value: bruno?.id },
    { name: 'channel', value: channel },
    { name: 'role', value: '319561002948493345' },
    { name: 'someone', value: zoe?.id },
    { name: 'part', value: 0.5 },
    { name: 'file', value: { filename: 'me.txt', content_type: 'text/plain', data: 'bWU=' } },
  ]
  const all = textOf(await use('all', { options }))
  const fruit = [{ name: 'fruit', value: 'ap' }]
  const typed = await interactions.type({ ...ada, command: 'find', options: fruit, focused: 'fruit' })
  const find = textOf(await use('find', { options: [{ name: 'fruit', value: 'apple' }] }))
  const { modal, because } = await use('form')
  if (modal === undefined) throw new Error(because)
  const form = textOf(await interactions.submit({ ...ada, modal: modal.id, values: { name: 'Ada' } }))
  const menu = async () => (await use('menu')).message?.id ?? ''
  const press = async (component: string, values?: string[]) => {
    const message = await menu()
    const outcome = await interactions.press({ ...ada, message, component, values })
    return { outcome, message }
  }
  const colour = textOf((await press('colour', ['blue'])).outcome)
  const chosen = await press('who', [bruno?.id ?? ''])
  const read = (id: string) => interactions.messages(ada).find((each) => each.id === id)?.content ?? ''
  await expect.poll(() => read(chosen.message)).toBe(EXPECTED.who)
  const pressed = textOf((await press('press')).outcome)
  await use('slow')
  await expect.poll(() => newest()?.content).toBe('and more')
  const slow = interactions.messages(ada).slice(-2)
  const sent = await use('send')
  const [attachment] = (sent.message?.attachments ?? []) as { url: string }[]
  const send = attachment === undefined ? textOf(sent) : await (await fetch(attachment.url)).text()
  const deep = textOf(
    await use('deep', { options: [{ name: 'down', options: [{ name: 'text', value: 'below' }] }] }),
  )
  const user = textOf(await use('Poke', { target: bruno?.id }))
  const look = interactions.say({ ...ada, content: 'look' })
  const message = textOf(await use('Quote', { target: look.id }))
  return {
    all,
    suggestions: (typed.choices ?? []).map(({ name }) => name),
    find,
    form,
    colour,
    who: read(chosen.message),
    press: pressed,
    slow: slow.map(({ content }) => content),
    send,
    deep,
    user,
    message,
  }
}
