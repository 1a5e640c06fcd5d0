/** The check of one message or modal: what it has seen, and the texts of its issues. */
import { IssueList, type Place } from '../../shared/foundation/rules'

const MESSAGES = {
  required: 'is required',
  wrong_type: 'must be {expected}',
  unknown_value: 'must be one of {allowed}',
  unknown_field: 'is no field{hint}',
  length: 'must have {min} to {max} characters, has {actual}',
  too_large: 'must have at most {max} characters in all texts, has {actual}',
  out_of_range: 'must be {min} to {max}',
  over_maximum: 'must be at most {field}, which is {max}',
  too_many: 'must hold at most {max}, holds {actual}',
  too_few: 'must hold at least {min}, holds {actual}',
  duplicate: 'is given at {first} already',
  lone_surrogate: 'holds half of a surrogate pair, which is no character',
  invalid_url: 'must be an address with {schemes}',
  invalid_time: 'must be a time of ISO 8601',
  unknown_flags: 'holds a flag that an application cannot set: {allowed} can be set',
  empty_message: 'must hold content, embeds, components, files or a poll',
  empty_embed: 'is required unless the embed has a title, fields, a picture, an author or a footer',
  not_with_components_v2: 'must be left out beside components of version 2: use text displays and containers',
  needs_label: 'is required unless the button has an emoji',
  needs_emoji: 'must have an id or a name',
  not_for_style: 'is not for buttons of style {style}',
  not_here: 'must not be given here: {hint}',
  exclusive: 'must be left out beside {field}, which names each one',
  missing_file: 'has no file: files has no index {index}',
  unknown_file: 'names no file of this message',
  unreadable: 'must be readable',
} as const

/** Code of an issue of a message or modal. */
export type MessageIssueCode = keyof typeof MESSAGES

/** What a check has seen so far, for the rules that span a whole message. */
export class MessageCheck extends IssueList<typeof MESSAGES> {
  // Places by `custom_id`, and by component id. Most messages have neither.
  #customIds: Map<unknown, MessagePlace> | undefined
  #ids: Map<unknown, MessagePlace> | undefined
  /** References to files of the message: the name in `attachment://name`, and where it stands. */
  readonly references: { readonly name: string; readonly at: MessagePlace }[] = []
  /** Number of components, and characters of all text displays. */
  components = 0
  text = 0
  /** Characters of all embeds. */
  embedText = 0
  /** True in a form, false in a message. */
  readonly isModal: boolean

  constructor({ isModal }: { isModal: boolean }) {
    super(MESSAGES)
    this.isModal = isModal
  }

  get customIds(): Map<unknown, MessagePlace> {
    return (this.#customIds ??= new Map())
  }

  get ids(): Map<unknown, MessagePlace> {
    return (this.#ids ??= new Map())
  }
}

/** Place in a message or modal. */
export type MessagePlace = Place<MessageCheck>
