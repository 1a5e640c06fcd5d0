/** Embeds, polls, mentions and attachments of a message, as an application sends them (docs/interface/messages.md). Types only. */
import type { ComponentEmoji } from './message-components'

/** Picture of an embed. */
export interface EmbedImage {
  /** Address with `http:` or `https:`, or `attachment://` and the name of a file of this message. */
  url: string
}

/** A box with formatted content. All texts of all embeds of a message together have at most 6,000 characters. */
export interface Embed {
  /** At most 256 characters. */
  title?: string | null | undefined
  /** At most 4,096 characters. */
  description?: string | null | undefined
  /** Address that the title leads to. */
  url?: string | null | undefined
  /** ISO 8601. */
  timestamp?: string | null | undefined
  /** Color of the edge, 0x000000 to 0xFFFFFF. */
  color?: number | null | undefined
  /** Line at the bottom. */
  footer?:
    | {
        /** At most 2,048 characters. */
        text: string
        /** Picture before the text. */
        icon_url?: string | null | undefined
      }
    | null
    | undefined
  /** Large picture. */
  image?: EmbedImage | null | undefined
  /** Small picture. */
  thumbnail?: EmbedImage | null | undefined
  /** Line at the top. */
  author?:
    | {
        /** 1 to 256 characters. */
        name: string
        /** Address that the name leads to. */
        url?: string | null | undefined
        /** Picture before the name. */
        icon_url?: string | null | undefined
      }
    | null
    | undefined
  /** At most 25. */
  fields?: readonly EmbedField[] | null | undefined
}

/** Name and value in an embed. */
export interface EmbedField {
  /** 1 to 256 characters. */
  name: string
  /** 1 to 1,024 characters. */
  value: string
  /** True shows it beside its neighbours. Default: false. */
  inline?: boolean | undefined
}

/** Mentions that notify. */
export interface AllowedMentions {
  /** Kinds of mentions that are read from the text. */
  parse?: readonly ('roles' | 'users' | 'everyone')[] | undefined
  /** Ids of roles, at most 100. Not together with `parse: ['roles']`. */
  roles?: readonly string[] | undefined
  /** Ids of users, at most 100. Not together with `parse: ['users']`. */
  users?: readonly string[] | undefined
  /** True notifies the author of the message that this one replies to. Default: false. */
  replied_user?: boolean | undefined
}

/** A poll. */
export interface Poll {
  /** The question, 1 to 300 characters. */
  question: {
    /** 1 to 300 characters. */
    text?: string | undefined
  }
  /** 1 to 10. */
  answers: readonly PollAnswer[]
  /** Hours, 1 to 768. Default: 24. */
  duration?: number | undefined
  /** True lets a player choose several answers. Default: false. */
  allow_multiselect?: boolean | undefined
  /** 1 is the only one. */
  layout_type?: 1 | undefined
}

/** An answer of a poll. */
export interface PollAnswer {
  /** Text and emoji. */
  poll_media: {
    /** 1 to 55 characters. */
    text?: string | undefined
    /** Shown before the text. */
    emoji?: ComponentEmoji | undefined
  }
}

/** Description of a file that is sent with a message, or of one that an edit keeps. */
export interface AttachmentData {
  /** Index in `files`, or in an edit the id of an attachment that stays. */
  id: number | string
  /** Name of the file. */
  filename?: string | undefined
  /** Title of the file, at most 1,024 characters. */
  title?: string | undefined
  /** Alternative text, at most 1,024 characters. */
  description?: string | undefined
  /** Seconds, of voice messages. */
  duration_secs?: number | undefined
  /** Waveform as base64, of voice messages. */
  waveform?: string | undefined
  /** True hides it until a player asks for it. */
  is_spoiler?: boolean | undefined
}
