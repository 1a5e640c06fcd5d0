/** Fields of messages with their bounds (docs/interface/messages.md), as data. */
import type { ValueRule, Shape } from './rule-reader'

/** Of an unsigned 24-bit color. */
const COLOR: ValueRule = { is: 'whole', min: 0, max: 0xffffff, nullable: true }
const LINK: ValueRule = { is: 'url', schemes: ['http', 'https'], max: 2048, nullable: true }
const PICTURE: ValueRule = { is: 'url', schemes: ['http', 'https', 'attachment'], max: 2048, nullable: true }
const FLAG: ValueRule = { is: 'flag' }
/** The service sends these fields, and ignores them in a request. */
const IGNORED: ValueRule = { is: 'ignored' }

export const EMOJI: ValueRule = {
  is: 'object',
  anyOf: ['id', 'name'],
  fields: {
    id: { is: 'id', nullable: true },
    name: { is: 'text', min: 1, max: 100, nullable: true },
    animated: FLAG,
  },
}

const MEDIA: Shape = {
  proxy_url: IGNORED,
  width: IGNORED,
  height: IGNORED,
  placeholder: IGNORED,
  placeholder_version: IGNORED,
  content_type: IGNORED,
  loading_state: IGNORED,
  flags: IGNORED,
  attachment_id: IGNORED,
  description: IGNORED,
}

/** Picture or video of a component. */
export const MEDIA_ITEM: ValueRule = {
  is: 'object',
  required: true,
  fields: {
    ...MEDIA,
    url: { is: 'url', schemes: ['http', 'https', 'attachment'], max: 2048, required: true },
  },
}

/** File of the message itself. */
export const FILE_ITEM: ValueRule = {
  is: 'object',
  required: true,
  fields: { ...MEDIA, url: { is: 'url', schemes: ['attachment'], max: 2048, required: true } },
}

const IMAGE: ValueRule = {
  is: 'object',
  nullable: true,
  fields: { ...MEDIA, url: { ...PICTURE, required: true } },
}

const EMBED: ValueRule = {
  is: 'object',
  fields: {
    title: { is: 'text', max: 256, trimmed: 'embed', nullable: true },
    description: { is: 'text', max: 4096, trimmed: 'embed', nullable: true },
    url: LINK,
    timestamp: { is: 'time', nullable: true },
    color: COLOR,
    footer: {
      is: 'object',
      nullable: true,
      fields: {
        text: { is: 'text', min: 1, max: 2048, trimmed: 'embed', required: true },
        icon_url: PICTURE,
        proxy_icon_url: IGNORED,
      },
    },
    image: IMAGE,
    thumbnail: IMAGE,
    author: {
      is: 'object',
      nullable: true,
      fields: {
        name: { is: 'text', min: 1, max: 256, trimmed: 'embed', required: true },
        url: LINK,
        icon_url: PICTURE,
        proxy_icon_url: IGNORED,
      },
    },
    fields: {
      is: 'list',
      max: 25,
      nullable: true,
      of: {
        is: 'object',
        fields: {
          name: { is: 'text', min: 1, max: 256, trimmed: 'embed', required: true },
          value: { is: 'text', min: 1, max: 1024, trimmed: 'embed', required: true },
          inline: FLAG,
        },
      },
    },
    type: IGNORED,
    provider: IGNORED,
    video: IGNORED,
    flags: IGNORED,
  },
}

const IDS: ValueRule = { is: 'list', of: { is: 'id' }, max: 100, distinct: 'itself' }

const MENTIONS: ValueRule = {
  is: 'object',
  nullable: true,
  fields: {
    parse: { is: 'list', of: { is: 'one', of: ['roles', 'users', 'everyone'] }, distinct: 'itself' },
    roles: IDS,
    users: IDS,
    replied_user: FLAG,
  },
}

const POLL: ValueRule = {
  is: 'object',
  nullable: true,
  fields: {
    question: {
      is: 'object',
      required: true,
      fields: { text: { is: 'text', min: 1, max: 300, trimmed: 'other', required: true }, emoji: IGNORED },
    },
    answers: {
      is: 'list',
      required: true,
      min: 1,
      max: 10,
      of: {
        is: 'object',
        fields: {
          answer_id: IGNORED,
          poll_media: {
            is: 'object',
            required: true,
            fields: { text: { is: 'text', min: 1, max: 55, trimmed: 'other', required: true }, emoji: EMOJI },
          },
        },
      },
    },
    duration: { is: 'whole', min: 1, max: 768 },
    allow_multiselect: FLAG,
    layout_type: { is: 'one', of: [1] },
    expiry: IGNORED,
    results: IGNORED,
  },
}

const ATTACHMENT: ValueRule = {
  is: 'object',
  fields: {
    id: { is: 'key', required: true },
    filename: { is: 'text', min: 1, max: 255 },
    title: { is: 'text', max: 1024, nullable: true },
    description: { is: 'text', max: 1024, nullable: true },
    duration_secs: { is: 'number' },
    waveform: { is: 'text', max: 4096 },
    is_spoiler: FLAG,
    size: IGNORED,
    url: IGNORED,
    proxy_url: IGNORED,
    content_type: IGNORED,
    width: IGNORED,
    height: IGNORED,
    ephemeral: IGNORED,
    flags: IGNORED,
    placeholder: IGNORED,
    placeholder_version: IGNORED,
  },
}

/** Fields of a message, except its components. */
export const MESSAGE: Shape = {
  content: { is: 'text', max: 2000, nullable: true },
  tts: FLAG,
  embeds: { is: 'list', of: EMBED, max: 10, nullable: true },
  allowed_mentions: MENTIONS,
  flags: { is: 'whole', min: 0, max: 2 ** 31 - 1, nullable: true },
  attachments: { is: 'list', of: ATTACHMENT, max: 10, nullable: true },
  poll: POLL,
}

/** Fields of a file that the SDK sends. */
export const FILE: Shape = {
  name: {
    is: 'pattern',
    pattern: /^[^/\\\p{Cc}\p{Surrogate}]{1,255}$/u,
    expected: 'a file name of 1 to 255 characters without a path',
    required: true,
  },
  data: { is: 'ignored', required: true },
  description: { is: 'text', max: 1024 },
}
