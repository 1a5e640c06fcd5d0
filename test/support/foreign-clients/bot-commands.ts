/** Commands that every bot of the tests has, and the texts with which it answers. */
import type { Emulator } from 'foyer-emulator'

/** A running bot. */
export interface Bot {
  stop(): Promise<void>
}

/** Registers the commands and connects. */
export type StartBot = (emulator: Emulator) => Promise<Bot>

const described = (name: string, type: number, more: object = {}) => ({
  name,
  type,
  description: `A ${name}`,
  ...more,
})

/** One option of each type. */
const OPTIONS = [
  described('text', 3, { required: true }),
  described('whole', 4, { required: true }),
  described('yes', 5, { required: true }),
  described('user', 6, { required: true }),
  described('channel', 7, { required: true }),
  described('role', 8, { required: true }),
  described('someone', 9, { required: true }),
  described('part', 10, { required: true }),
  described('file', 11, { required: true }),
]

export const COMMANDS = [
  { name: 'all', description: 'Takes one option of each type', options: OPTIONS },
  {
    name: 'find',
    description: 'Finds a fruit',
    options: [described('fruit', 3, { required: true, autocomplete: true })],
  },
  { name: 'form', description: 'Opens a form' },
  { name: 'menu', description: 'Sends a button and menus' },
  { name: 'slow', description: 'Answers later' },
  { name: 'send', description: 'Sends a file' },
  {
    name: 'deep',
    description: 'Has a subcommand',
    options: [described('down', 1, { options: [described('text', 3, { required: true })] })],
  },
  { name: 'Poke', type: 2 },
  { name: 'Quote', type: 3 },
]

const FRUITS = ['apple', 'apricot', 'banana']

export const fruitsFor = (typed: string) =>
  FRUITS.filter((fruit) => fruit.startsWith(typed)).map((fruit) => ({ name: fruit, value: fruit }))

/** A bot's words about the options of `all`, in this order. */
export const summaryOf = (values: readonly unknown[]): string => values.map(String).join(' ')

/** The form, as it is sent. */
export const FORM = {
  title: 'Who are you?',
  custom_id: 'form',
  components: [
    { type: 1, components: [{ type: 4, custom_id: 'name', label: 'Name', style: 1, required: true }] },
  ],
}

export const MENUS = [
  { type: 1, components: [{ type: 2, style: 1, label: 'Press', custom_id: 'press' }] },
  {
    type: 1,
    components: [
      {
        type: 3,
        custom_id: 'colour',
        options: [
          { label: 'Red', value: 'red' },
          { label: 'Blue', value: 'blue' },
        ],
      },
    ],
  },
  { type: 1, components: [{ type: 5, custom_id: 'who' }] },
]

export const FILE = { name: 'note.txt', text: 'a note' }
export const EPHEMERAL = 64
