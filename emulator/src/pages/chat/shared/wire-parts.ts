/** Parts of messages and modals as a backend sends them. Every field may be missing: the page shows what there is. */

export interface EmojiData {
  id?: string | null
  name?: string | null
}

export interface MediaData {
  url?: string
}

export interface EmbedData {
  color?: number
  author?: { name?: string; url?: string; icon_url?: string }
  title?: string
  url?: string
  description?: string
  fields?: { name: string; value: string; inline?: boolean }[]
  thumbnail?: MediaData
  image?: MediaData
  footer?: { text?: string; icon_url?: string }
  timestamp?: string
}

export interface OptionData {
  label: string
  value: string
  description?: string
  emoji?: EmojiData
  default?: boolean
}

/** Any component of a message or modal, with the fields that the page shows. */
export interface ComponentData {
  type: number
  custom_id?: string
  label?: string
  description?: string | null
  style?: number
  emoji?: EmojiData
  url?: string
  sku_id?: string
  disabled?: boolean
  placeholder?: string
  content?: string
  value?: string
  required?: boolean
  default?: boolean
  min_length?: number
  max_length?: number
  min_values?: number
  max_values?: number
  options?: OptionData[]
  default_values?: { id: string; type: string }[]
  channel_types?: number[]
  file_types?: string[]
  media?: MediaData
  file?: MediaData
  items?: { media?: MediaData; description?: string | null; spoiler?: boolean }[]
  spoiler?: boolean
  divider?: boolean
  /** 1: small. 2: large. */
  spacing?: number
  accent_color?: number | null
  components?: ComponentData[]
  /** Component under a label. */
  component?: ComponentData
  /** Button or thumbnail beside a section. */
  accessory?: ComponentData
}

export interface AttachmentData {
  id?: string
  filename?: string
  description?: string | null
  content_type?: string | null
  size?: number
  url?: string
}

export interface PollData {
  question?: { text?: string }
  answers?: { answer_id?: number; poll_media?: { text?: string; emoji?: EmojiData } }[]
  allow_multiselect?: boolean
  /** Hours, in the message that creates it. */
  duration?: number
  expiry?: string | null
  results?: { is_finalized?: boolean; answer_counts?: { id: number; count: number }[] }
}

/** Numbers of the components. */
export const PART = {
  row: 1,
  button: 2,
  stringSelect: 3,
  textInput: 4,
  userSelect: 5,
  roleSelect: 6,
  mentionableSelect: 7,
  channelSelect: 8,
  section: 9,
  textDisplay: 10,
  thumbnail: 11,
  mediaGallery: 12,
  file: 13,
  separator: 14,
  container: 17,
  label: 18,
  fileUpload: 19,
  radioGroup: 21,
  checkboxGroup: 22,
  checkbox: 23,
} as const

/** The elements of a value that should be a list. */
export function listOf<Item>(value: Item[] | null | undefined): Item[] {
  return Array.isArray(value) ? value : []
}
