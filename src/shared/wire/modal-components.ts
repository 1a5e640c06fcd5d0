/** Components of modals, as an application sends them (docs/interface/messages.md#modals). Types only. */
import type {
  ChannelSelect,
  ComponentBase,
  MentionableSelect,
  RoleSelect,
  StringSelect,
  TextDisplay,
  UserSelect,
} from './message-components'

/** Field for a text. */
export interface TextInput extends ComponentBase<4> {
  /** Identifies the value: 1 to 100 characters, unique in the form. */
  custom_id: string
  /** 1 one line, 2 several lines. */
  style: 1 | 2
  /** Only for a text input in a row: 1 to 45 characters. In a label, the label has the text. */
  label?: string | undefined
  /** 0 to 4,000. */
  min_length?: number | undefined
  /** 1 to 4,000. */
  max_length?: number | undefined
  /** False lets a player leave it empty. Default: true. */
  required?: boolean | undefined
  /** Text to begin with, at most 4,000 characters. */
  value?: string | undefined
  /** Shown while the field is empty, at most 100 characters. */
  placeholder?: string | undefined
}

/** Field for files. */
export interface FileUpload extends ComponentBase<19> {
  /** Identifies the value: 1 to 100 characters, unique in the form. */
  custom_id: string
  /** Least number of files, 0 to 10. Default: 1. */
  min_values?: number | undefined
  /** Greatest number of files, 1 to 10. Default: 1. */
  max_values?: number | undefined
  /** False lets a player leave it empty. Default: true. */
  required?: boolean | undefined
  /** `image`, `video`, `audio`, or extensions with their dot; at most 10. Default: any file. */
  file_types?: readonly string[] | undefined
}

/** An option of a radio group or a checkbox group. */
export interface GroupOption {
  /** Value that the application receives: 1 to 100 characters, unique in the group. */
  value: string
  /** Text that the player sees, 1 to 100 characters. */
  label: string
  /** Explanation below the label, at most 100 characters. */
  description?: string | undefined
  /** True selects the option beforehand. */
  default?: boolean | undefined
}

/** Options of which a player chooses one. */
export interface RadioGroup extends ComponentBase<21> {
  /** Identifies the value: 1 to 100 characters, unique in the form. */
  custom_id: string
  /** 2 to 10. */
  options: readonly GroupOption[]
  /** False lets a player choose none. Default: true. */
  required?: boolean | undefined
}

/** Options of which a player chooses several. */
export interface CheckboxGroup extends ComponentBase<22> {
  /** Identifies the value: 1 to 100 characters, unique in the form. */
  custom_id: string
  /** 1 to 10. */
  options: readonly GroupOption[]
  /** Least number of choices, 0 to 10. Default: 1. */
  min_values?: number | undefined
  /** Greatest number of choices, 1 to 10. Default: the number of options. */
  max_values?: number | undefined
  /** False lets a player choose none. Default: true. */
  required?: boolean | undefined
}

/** A single checkbox. */
export interface Checkbox extends ComponentBase<23> {
  /** Identifies the value: 1 to 100 characters, unique in the form. */
  custom_id: string
  /** True checks it beforehand. Default: false. */
  default?: boolean | undefined
}

/** A part of a form that a player fills in. */
export type ModalField =
  | TextInput
  | StringSelect
  | UserSelect
  | RoleSelect
  | MentionableSelect
  | ChannelSelect
  | FileUpload
  | RadioGroup
  | CheckboxGroup
  | Checkbox

/** A field of a form with its label. */
export interface Label extends ComponentBase<18> {
  /** 1 to 45 characters. */
  label: string
  /** Explanation, 1 to 100 characters. */
  description?: string | undefined
  /** The field. */
  component: ModalField
}

/** Older form of a text input with its label; `Label` has replaced it. */
export interface TextInputRow extends ComponentBase<1> {
  /** One text input with a `label`. */
  components: readonly TextInput[]
}

/** A component at the top level of a form. */
export type ModalComponent = Label | TextDisplay | TextInputRow
