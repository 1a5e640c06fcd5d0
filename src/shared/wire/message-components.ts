/** Components of messages, as an application sends them (docs/interface/messages.md#components). Types only. */

/** Fields that all components share. */
export interface ComponentBase<Type extends number> {
  /** Kind of component, as a number of the interface. */
  type: Type
  /** Identifies the component, unique in its message. Default: counted by the service. */
  id?: number | undefined
}

/** An emoji: `id` of a custom one, or `name` with the character itself. */
export interface ComponentEmoji {
  /** Id of a custom emoji. */
  id?: string | null | undefined
  /** The emoji itself, or the name of a custom one. */
  name?: string | null | undefined
  /** True for a custom emoji that moves. */
  animated?: boolean | undefined
}

/** A row of up to 5 buttons, or of one select. */
export interface ActionRow extends ComponentBase<1> {
  /** Buttons, or one select. */
  components: readonly (Button | MessageSelect)[]
}

interface ButtonBase extends ComponentBase<2> {
  /** True shows the button, and does not let players press it. */
  disabled?: boolean | undefined
}

interface LabelledButton extends ButtonBase {
  /** Text of the button, at most 80 characters. A button has a label, an emoji, or both. */
  label?: string | undefined
  /** Shown before the label. */
  emoji?: ComponentEmoji | undefined
}

/** Button that sends an interaction when it is pressed. */
export interface ActionButton extends LabelledButton {
  /** 1 primary, 2 secondary, 3 success, 4 danger. */
  style: 1 | 2 | 3 | 4
  /** Returned when the button is pressed: 1 to 100 characters, unique in the message. */
  custom_id: string
}

/** Button that opens an address. */
export interface LinkButton extends LabelledButton {
  /** LINK. */
  style: 5
  /** Address with `http:` or `https:`, at most 512 characters. */
  url: string
}

/** Button that sells something; it has no label of its own. */
export interface PremiumButton extends ButtonBase {
  /** PREMIUM. */
  style: 6
  /** Id of what is sold. */
  sku_id: string
}

/** A button, by its `style`. */
export type Button = ActionButton | LinkButton | PremiumButton

/** Fields of all selects. */
export interface SelectBase {
  /** Returned with the selected values: 1 to 100 characters, unique in its message or form. */
  custom_id: string
  /** Shown while nothing is selected, at most 150 characters. */
  placeholder?: string | undefined
  /** Least number of values, 0 to 25. Default: 1. */
  min_values?: number | undefined
  /** Greatest number of values, 1 to 25. Default: 1. */
  max_values?: number | undefined
  /** False lets a player leave it empty. In forms only. Default: true. */
  required?: boolean | undefined
  /** True shows the select, and does not let players use it. In messages only. Default: false. */
  disabled?: boolean | undefined
}

/** An option of a string select. */
export interface SelectOption {
  /** Text that the player sees, 1 to 100 characters. */
  label: string
  /** Value that the application receives: 1 to 100 characters, unique in the select. */
  value: string
  /** Explanation below the label, 1 to 100 characters. */
  description?: string | undefined
  /** Shown before the label. */
  emoji?: ComponentEmoji | undefined
  /** True selects the option beforehand. */
  default?: boolean | undefined
}

/** A value that is selected beforehand. */
export interface SelectDefault<Type extends 'user' | 'role' | 'channel'> {
  /** Id of the user, role or channel. */
  id: string
  /** Kind of the id. */
  type: Type
}

/** Select with given options. */
export interface StringSelect extends ComponentBase<3>, SelectBase {
  /** 1 to 25. */
  options: readonly SelectOption[]
}

/** Select of users. */
export interface UserSelect extends ComponentBase<5>, SelectBase {
  /** Users that are selected beforehand. */
  default_values?: readonly SelectDefault<'user'>[] | undefined
}

/** Select of roles. */
export interface RoleSelect extends ComponentBase<6>, SelectBase {
  /** Roles that are selected beforehand. */
  default_values?: readonly SelectDefault<'role'>[] | undefined
}

/** Select of users and roles. */
export interface MentionableSelect extends ComponentBase<7>, SelectBase {
  /** Users and roles that are selected beforehand. */
  default_values?: readonly SelectDefault<'user' | 'role'>[] | undefined
}

/** Select of channels. */
export interface ChannelSelect extends ComponentBase<8>, SelectBase {
  /** Channels that are selected beforehand. */
  default_values?: readonly SelectDefault<'channel'>[] | undefined
  /** Types of the channels that can be selected, see `ChannelType`. Default: all. */
  channel_types?: readonly number[] | undefined
}

/** A select of a message. */
export type MessageSelect = StringSelect | UserSelect | RoleSelect | MentionableSelect | ChannelSelect

/** Address of a picture, a video or a file. */
export interface MediaItem {
  /** Address with `http:` or `https:`, or `attachment://` and the name of a file of this message. */
  url: string
}

/** One to three texts with a button or a picture beside them. Of version 2. */
export interface Section extends ComponentBase<9> {
  /** 1 to 3. */
  components: readonly TextDisplay[]
  /** Shown beside the texts. */
  accessory: Button | Thumbnail
}

/** Text with Markdown. Of version 2. */
export interface TextDisplay extends ComponentBase<10> {
  /** All texts of a message together have at most 4,000 characters. */
  content: string
}

/** Small picture, as accessory of a section. Of version 2. */
export interface Thumbnail extends ComponentBase<11> {
  /** The picture. */
  media: MediaItem
  /** Alternative text, 1 to 1,024 characters. */
  description?: string | null | undefined
  /** True hides it until a player asks for it. */
  spoiler?: boolean | undefined
}

/** Pictures and videos side by side. Of version 2. */
export interface MediaGallery extends ComponentBase<12> {
  /** 1 to 10. */
  items: readonly MediaGalleryItem[]
}

/** A picture or video of a gallery. */
export interface MediaGalleryItem {
  /** The picture or video. */
  media: MediaItem
  /** Alternative text, 1 to 1,024 characters. */
  description?: string | null | undefined
  /** True hides it until a player asks for it. */
  spoiler?: boolean | undefined
}

/** A file of this message. Of version 2. */
export interface FileDisplay extends ComponentBase<13> {
  /** `attachment://` and the name of a file of this message. */
  file: MediaItem
  /** True hides it until a player asks for it. */
  spoiler?: boolean | undefined
  /** Sent by the service, and ignored by it. */
  name?: string | undefined
  /** Sent by the service, and ignored by it. */
  size?: number | undefined
}

/** Space between components. Of version 2. */
export interface Separator extends ComponentBase<14> {
  /** False hides the line. Default: true. */
  divider?: boolean | undefined
  /** 1 small, 2 large. Default: 1. */
  spacing?: 1 | 2 | undefined
}

/** Components in a box with a color. Of version 2. */
export interface Container extends ComponentBase<17> {
  /** At least one. */
  components: readonly (ActionRow | Section | TextDisplay | MediaGallery | FileDisplay | Separator)[]
  /** Color of the edge, 0x000000 to 0xFFFFFF. */
  accent_color?: number | null | undefined
  /** True hides the box until a player asks for it. */
  spoiler?: boolean | undefined
}

/** A component at the top level of a message. All but rows are of version 2, whose messages have neither `content`, `embeds` nor `poll`. */
export type MessageComponent =
  ActionRow | Section | TextDisplay | MediaGallery | FileDisplay | Separator | Container
