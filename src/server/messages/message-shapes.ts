/** Fields of messages with their bounds (docs/interface/messages.md), as data. */
import {
  anything,
  flag,
  id,
  ignored,
  list,
  number,
  object,
  one,
  pattern,
  whole,
  record,
} from '../../shared/foundation/rules'
import { emoji, key, link, type MessageRule, type MessageShape, messageText, time } from './message-kinds'

/** Of an unsigned 24-bit color. */
const COLOR: MessageRule = { is: whole, min: 0, max: 0xffffff, nullable: true }
const LINK: MessageRule = { is: link, schemes: ['http', 'https'], max: 2048, nullable: true }
const PICTURE: MessageRule = { is: link, schemes: ['http', 'https', 'attachment'], max: 2048, nullable: true }
const FLAG: MessageRule = { is: flag, nullable: true }
/** The service sends these fields, and ignores them in a request. */
const IGNORED: MessageRule = { is: ignored }

/** An object that the service adds: its fields are ignored. */
const RECEIVED: MessageRule = { is: record, nullable: true }

export const EMOJI: MessageRule = {
  is: emoji,
  nullable: true,
  fields: {
    id: { is: id, nullable: true },
    name: { is: messageText, min: 1, max: 32, nullable: true },
    animated: FLAG,
  },
}

const MEDIA: MessageShape = {
  id: IGNORED,
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
export const MEDIA_ITEM: MessageRule = {
  is: object,
  required: true,
  fields: {
    ...MEDIA,
    url: { is: link, schemes: ['http', 'https', 'attachment'], max: 2048, required: true },
  },
}

/** File of the message itself. */
export const FILE_ITEM: MessageRule = {
  is: object,
  required: true,
  fields: { ...MEDIA, url: { is: link, schemes: ['attachment'], max: 2048, required: true } },
}

const IMAGE: MessageRule = {
  is: object,
  nullable: true,
  fields: { ...MEDIA, url: { ...PICTURE, required: true } },
}

const EMBED: MessageRule = {
  is: object,
  fields: {
    title: { is: messageText, max: 256, trimmed: true, inEmbed: true, nullable: true },
    description: { is: messageText, max: 4096, trimmed: true, inEmbed: true, nullable: true },
    url: LINK,
    timestamp: { is: time, nullable: true },
    color: COLOR,
    footer: {
      is: object,
      nullable: true,
      fields: {
        text: { is: messageText, min: 1, max: 2048, trimmed: true, inEmbed: true, required: true },
        icon_url: PICTURE,
        proxy_icon_url: IGNORED,
      },
    },
    image: IMAGE,
    thumbnail: IMAGE,
    author: {
      is: object,
      nullable: true,
      fields: {
        name: { is: messageText, min: 1, max: 256, trimmed: true, inEmbed: true, required: true },
        url: LINK,
        icon_url: PICTURE,
        proxy_icon_url: IGNORED,
      },
    },
    fields: {
      is: list,
      max: 25,
      nullable: true,
      of: {
        is: object,
        fields: {
          name: { is: messageText, min: 1, max: 256, trimmed: true, inEmbed: true, required: true },
          value: { is: messageText, min: 1, max: 1024, trimmed: true, inEmbed: true, required: true },
          inline: FLAG,
        },
      },
    },
    type: IGNORED,
    provider: RECEIVED,
    video: RECEIVED,
    flags: IGNORED,
  },
}

const IDS: MessageRule = { is: list, of: { is: id }, max: 100, distinct: '', nullable: true }

const MENTIONS: MessageRule = {
  is: object,
  nullable: true,
  fields: {
    parse: {
      is: list,
      of: { is: one, values: ['roles', 'users', 'everyone'] },
      distinct: '',
      nullable: true,
    },
    roles: IDS,
    users: IDS,
    replied_user: FLAG,
  },
}

const POLL: MessageRule = {
  is: object,
  nullable: true,
  fields: {
    question: {
      is: object,
      required: true,
      fields: { text: { is: messageText, min: 1, max: 300, trimmed: true, required: true }, emoji: IGNORED },
    },
    answers: {
      is: list,
      required: true,
      min: 1,
      max: 10,
      of: {
        is: object,
        fields: {
          answer_id: IGNORED,
          poll_media: {
            is: object,
            required: true,
            fields: {
              text: { is: messageText, min: 1, max: 55, trimmed: true, required: true },
              emoji: EMOJI,
            },
          },
        },
      },
    },
    duration: { is: whole, min: 1, max: 768, nullable: true },
    allow_multiselect: FLAG,
    layout_type: { is: one, values: [1], nullable: true },
    expiry: IGNORED,
    results: IGNORED,
  },
}

const ATTACHMENT: MessageRule = {
  is: object,
  fields: {
    id: { is: key, required: true },
    filename: { is: messageText, min: 1, max: 255, nullable: true },
    title: { is: messageText, max: 1024, nullable: true },
    description: { is: messageText, max: 1024, nullable: true },
    duration_secs: { is: number, min: 0, max: 2 ** 31 - 1, nullable: true },
    waveform: { is: messageText, max: 400, nullable: true },
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

export const CONTENT: MessageRule = { is: messageText, max: 2000, nullable: true }

/** Fields of a message, except its components. */
export const MESSAGE: MessageShape = {
  content: CONTENT,
  tts: FLAG,
  embeds: { is: list, of: EMBED, max: 10, nullable: true },
  allowed_mentions: MENTIONS,
  flags: { is: whole, min: 0, max: 2 ** 31 - 1, nullable: true },
  attachments: { is: list, of: ATTACHMENT, max: 10, nullable: true },
  poll: POLL,
}

/** Fields of a file that the SDK sends. */
export const FILE: MessageShape = {
  name: {
    is: pattern,
    pattern: /^[^/\\\p{Cc}\p{Surrogate}]{1,255}$/u,
    expected: 'a file name of 1 to 255 characters without a path',
    required: true,
  },
  data: { is: anything, required: true },
  description: { is: messageText, max: 1024 },
}
