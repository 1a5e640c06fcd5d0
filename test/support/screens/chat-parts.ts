/** Messages with every part that the service has, of both versions, and a form with every part. */

/** Files as the emulator serves them. */
export interface ServedFiles {
  picture: Record<string, unknown>
  download: Record<string, unknown>
}

const ADA = '175928847299117063'
const BRUNO = '211842960158326785'
const TAVERN = '319560327719026709'
const GENERAL = '319562910281203745'
const EMOJI = '520000000000000001'

export const FOREIGN_PICTURE = 'https://pictures.example/castle.png'

const EVERY_MARK = `# Tournament of the *Moon*
**Bold**, *italic*, __underlined__, ~~gone~~, ***all at once***, \`code\` and a ||secret **ending**||.
> A quote that **matters**
> over two lines
- Round one
  - Ada against Bruno
- Round two
1. Sign up
2. Play
\`\`\`ts
const winner = await play('<moon>')
\`\`\`
<@${ADA}> <@${BRUNO}> @everyone <#${GENERAL}> </duel:${EMOJI}> <:trophy:${EMOJI}> 🏆
Begins <t:1790000000:F>, that is <t:1790000000:R>. [The rules](https://rules.example/moon "Rules")
-# Subject to change without notice`

const BUTTONS = [
  { type: 2, style: 1, custom_id: 'join', label: 'Join', emoji: { name: '⚔️' } },
  { type: 2, style: 2, custom_id: 'watch', label: 'Watch' },
  { type: 2, style: 3, custom_id: 'accept', label: 'Accept' },
  { type: 2, style: 4, custom_id: 'leave', label: 'Leave' },
  { type: 2, style: 5, url: 'https://rules.example/', label: 'Rules' },
]
const MORE_BUTTONS = [
  { type: 2, style: 2, custom_id: 'cheer', emoji: { id: EMOJI, name: 'trophy' } },
  { type: 2, style: 1, custom_id: 'late', label: 'Too late', disabled: true },
  { type: 2, style: 6, sku_id: EMOJI },
]

const MAPS = [
  { value: 'moon', label: 'Moon', description: 'Cold, and far from home', emoji: { name: '🌙' } },
  { value: 'moor', label: 'Moor', description: 'Fog until noon', emoji: { name: '🌫️' }, default: true },
  { value: 'mountain', label: 'Mountain', description: 'Bring a rope', emoji: { id: EMOJI, name: 'peak' } },
]

const row = (...components: unknown[]) => ({ type: 1, components })

export const EMBED = {
  color: 0x2e_86_ab,
  author: {
    name: 'Master of the tavern',
    url: 'https://tavern.example/',
    icon_url: 'https://pictures.example/face.png',
  },
  title: 'Standings after round one',
  url: 'https://tavern.example/standings',
  description: 'Everybody with **three wins** is in the final.',
  fields: [
    { name: 'Ada', value: '3 wins', inline: true },
    { name: 'Bruno', value: '2 wins', inline: true },
    { name: 'Chidi', value: '`0` wins', inline: true },
    { name: 'Next', value: `Round two in <#${GENERAL}>` },
  ],
  thumbnail: { url: 'https://pictures.example/crest.png' },
  footer: { text: 'Tournament office', icon_url: 'https://pictures.example/office.png' },
  timestamp: '2026-03-01T12:00:00.000Z',
}

const POLL = {
  question: { text: 'Where does the final take place?' },
  answers: [
    { answer_id: 1, poll_media: { text: 'Moon', emoji: { name: '🌙' } } },
    { answer_id: 2, poll_media: { text: 'Moor' } },
  ],
  duration: 48,
  allow_multiselect: true,
}

export const messageOfVersion1 = ({ picture, download }: ServedFiles) => ({
  content: EVERY_MARK,
  embeds: [{ ...EMBED, image: { url: FOREIGN_PICTURE } }],
  attachments: [picture, download],
  poll: POLL,
  components: [
    row(...BUTTONS),
    row(...MORE_BUTTONS),
    row({ type: 3, custom_id: 'maps', placeholder: 'Maps', min_values: 1, max_values: 3, options: MAPS }),
    row({ type: 5, custom_id: 'who', placeholder: 'Opponent' }),
  ],
})

export const SELECTS = [
  row({ type: 3, custom_id: 'map', placeholder: 'Map', options: MAPS }),
  row({ type: 5, custom_id: 'players', placeholder: 'Players', max_values: 2 }),
  row({ type: 6, custom_id: 'role', placeholder: 'Role' }),
  row({
    type: 7,
    custom_id: 'anybody',
    placeholder: 'Player or role',
    default_values: [{ id: BRUNO, type: 'user' }],
  }),
  row({ type: 8, custom_id: 'place', placeholder: 'Channel', channel_types: [0] }),
]

export const messageOfVersion2 = ({ picture, download }: ServedFiles) => ({
  flags: 32_768,
  attachments: [picture, download],
  components: [
    { type: 10, content: '## Parts of the second version\nA text **display**, without content around it.' },
    {
      type: 17,
      accent_color: 0xc7_5b_39,
      components: [
        {
          type: 9,
          components: [{ type: 10, content: '### A section\nwith a picture beside it' }],
          accessory: { type: 11, media: { url: picture['url'] }, description: 'A green field' },
        },
        { type: 14, spacing: 2 },
        {
          type: 9,
          components: [{ type: 10, content: 'A section with a button beside it' }],
          accessory: { type: 2, style: 3, custom_id: 'beside', label: 'Choose' },
        },
        {
          type: 12,
          items: [
            { media: { url: picture['url'] }, description: 'A green field' },
            { media: { url: FOREIGN_PICTURE }, description: 'The castle' },
            { media: { url: picture['url'] }, description: 'The ending', spoiler: true },
          ],
        },
        { type: 13, file: { url: `attachment://${String(download['filename'])}` } },
        { type: 14, divider: false },
        row({ type: 2, style: 1, custom_id: 'go', label: 'Go on' }),
      ],
    },
    { type: 17, spoiler: true, components: [{ type: 10, content: 'The killer is the butler.' }] },
  ],
})

const label = (text: string, component: object, description?: string) => ({
  type: 18,
  label: text,
  description,
  component,
})

export const EVERY_FIELD = {
  custom_id: 'sign-up',
  title: 'Sign up for the tournament',
  components: [
    { type: 10, content: 'Only **one** sign-up for each player.' },
    label(
      'Name in the game',
      { type: 4, custom_id: 'name', style: 1, min_length: 3, max_length: 12 },
      'As others see it',
    ),
    label('About you', {
      type: 4,
      custom_id: 'about',
      style: 2,
      required: false,
      max_length: 300,
      placeholder: 'Two sentences',
    }),
    label('Maps', {
      type: 3,
      custom_id: 'maps',
      min_values: 2,
      max_values: 3,
      options: MAPS.map((map) => ({ ...map, default: false })),
    }),
    label('Opponent', { type: 5, custom_id: 'opponent' }),
    label('Role', { type: 6, custom_id: 'role', required: false }),
    label('Referee', {
      type: 7,
      custom_id: 'referee',
      required: false,
      default_values: [{ id: BRUNO, type: 'user' }],
    }),
    label('Channel', { type: 8, custom_id: 'channel', channel_types: [0] }),
    label('Level', {
      type: 21,
      custom_id: 'level',
      options: [
        { value: 'easy', label: 'Beginner', description: 'Fewer than ten games' },
        { value: 'hard', label: 'Expert' },
      ],
    }),
    label('Days', {
      type: 22,
      custom_id: 'days',
      max_values: 2,
      options: [
        { value: 'fri', label: 'Friday' },
        { value: 'sat', label: 'Saturday', description: 'From noon' },
        { value: 'sun', label: 'Sunday' },
      ],
    }),
    label('Keep me informed', { type: 23, custom_id: 'news', default: true }, 'At most once a week'),
    label(
      'Screenshots',
      { type: 19, custom_id: 'proof', max_values: 2, file_types: ['image', '.txt'] },
      'Of your best game',
    ),
  ],
}

export const IDS = { ADA, BRUNO, TAVERN, GENERAL }

/** The parts of `EVERY_FIELD`, as three forms: each has at most five. */
export const FORMS = [0, 5, 10].map((first) => ({
  custom_id: `form-${first}`,
  title: EVERY_FIELD.title,
  components: EVERY_FIELD.components.slice(first, first + 5),
}))
