/** Types derived from a command definition: option values, routes, and compile-time errors. */
import type {
  ApplicationCommandOption as Option,
  ApplicationCommandOptionChoice as Choice,
  GlobalCommandBody as Definition,
} from '../../shared/wire/command'
import type {
  Attachment,
  ResolvedChannel,
  ResolvedMember,
  Role,
  User,
} from '../../shared/wire/interaction-request'

/** Compile-time error in a definition. No value has this type, so the compiler prints `Why`. */
export interface Fault<Why extends string> {
  readonly 'this definition is wrong': Why
}

/** Selected user, with its guild member. */
export interface ChosenUser {
  /** User id. */
  id: string
  /** Selected user. */
  user: User
  /** Guild member; absent outside a guild. */
  member?: ResolvedMember
}

/** Selected role. */
export interface ChosenRole {
  /** Role id. */
  id: string
  /** Selected role. */
  role: Role
}

/** Value of an option by type, with resolved entities. */
interface Values {
  3: string
  4: number
  5: boolean
  6: ChosenUser
  7: ResolvedChannel
  8: Role
  9: ChosenUser | ChosenRole
  10: number
  11: Attachment
}

type List = readonly Option[]
type Show<T> = { [K in keyof T]: T[K] }
type Named<L extends List, Name> = Extract<L[number], { readonly name: Name }>
type RequiredName<L extends List> = Extract<L[number], { readonly required: true }>['name']

type ValueOf<O> = O extends { readonly choices: readonly [infer First, ...infer Rest] }
  ? [First, ...Rest][number] extends { readonly value: infer Value }
    ? Value
    : never
  : O extends { readonly type: infer Type extends keyof Values }
    ? Values[Type]
    : never

/** Type of `interaction.options` in a handler. Options that are not required may be absent. */
export type OptionValues<L extends List> = Show<
  { readonly [Name in RequiredName<L>]: ValueOf<Named<L, Name>> } & {
    readonly [Name in Exclude<L[number]['name'], RequiredName<L>>]?: ValueOf<Named<L, Name>>
  }
>

/**
 * Type of the options during autocomplete: any may be absent (docs/interface/interactions.md#autocomplete), and users, channels, roles and
 * attachments have only an id.
 */
export type PartialOptionValues<L extends List> = {
  readonly [Name in L[number]['name']]?: Named<L, Name> extends { readonly type: 3 | 4 | 5 | 10 }
    ? ValueOf<Named<L, Name>>
    : { id: string }
}

export type AutocompleteOption<L extends List> = Extract<L[number], { readonly autocomplete: true }>

/** Options of a command, group or subcommand; an empty list if there are none. */
export type OptionsOf<T> = T extends { readonly options: infer L extends List } ? L : readonly []

/** True if a list contains subcommands or groups, so that the parent itself cannot be used (docs/interface/commands.md#subcommands). */
export type HasRoutes<L extends List> =
  Extract<L[number], { readonly type: 1 | 2 }> extends never ? false : true

/** `unknown` for a valid definition, a `Fault` at each invalid position. Usage: `definition: D & CheckDefinition<D>`. */
export type CheckDefinition<D extends Definition> = CheckKeys<D, keyof Definition> & CheckByType<D>

type CheckByType<D extends Definition> = D extends { readonly type: 2 | 3 }
  ? D extends { readonly options: unknown } | { readonly description: unknown }
    ? Fault<'USER and MESSAGE commands have neither options nor a description (docs/interface/commands.md#names, docs/interface/interactions.md#context-menu-commands)'>
    : unknown
  : D extends { readonly type: 4 }
    ? CheckEntryPoint<D>
    : D extends { readonly handler: unknown }
      ? Fault<'Only an entry point (type 4) has a `handler`'>
      : D extends { readonly description: string }
        ? CheckParent<D, 'command'>
        : Definition extends D
          ? Fault<'The definition is not known at compile time: write it in place, or declare it `as const`'>
          : Fault<'A CHAT_INPUT command needs a description'>

type CheckEntryPoint<D extends Definition> = D extends { readonly options: unknown }
  ? Fault<'An entry point has no options'>
  : D extends { readonly handler: 1 | 2 }
    ? unknown
    : Fault<'An entry point needs a handler: `handler: 1` (APP_HANDLER) or `handler: 2` (SERVICE_LAUNCH_ACTIVITY)'>

type Level = 'command' | 'group' | 'subcommand'

type CheckParent<T, At extends Level> = T extends { readonly options: infer L extends List }
  ? number extends L['length']
    ? Fault<'The options are not known at compile time: write them in place, or declare them `as const`'>
    : { readonly options: CheckList<L, At> }
  : unknown

type CheckList<
  L,
  At extends Level,
  Before = never,
  Names = never,
  Checked extends readonly unknown[] = readonly [],
> = L extends readonly [infer First extends Option, ...infer Rest]
  ? CheckList<
      Rest,
      At,
      Before | Kind<First>,
      Names | First['name'],
      readonly [...Checked, First & CheckOption<First, At, [Before, Names]>]
    >
  : Checked

type Kind<O extends Option> = O['type'] extends 1 | 2
  ? 'route'
  : O extends { readonly required: true }
    ? 'required'
    : 'optional'

type CheckOption<
  O extends Option,
  At extends Level,
  Seen extends [before: unknown, names: unknown],
> = CheckKeys<O, keyof Option> &
  (string extends O['name']
    ? unknown
    : O['name'] extends Seen[1]
      ? Fault<`There are two options named "${O['name']}"`>
      : unknown) &
  (O['type'] extends 1 | 2 ? CheckRoute<O, At, Seen[0]> : CheckParameter<O, At, Seen[0]>)

type CheckRoute<O extends Option, At extends Level, Before> =
  Extract<Before, 'required' | 'optional'> extends never
    ? O extends { readonly required: unknown }
      ? Fault<`"${O['name']}" is a subcommand or a group: those cannot be required`>
      : [At, O['type']] extends ['command', 2]
        ? CheckParent<O, 'group'>
        : [At, O['type']] extends ['command' | 'group', 1]
          ? CheckParent<O, 'subcommand'>
          : Fault<`"${O['name']}" is not allowed here: a group contains subcommands, and a subcommand contains parameters (docs/interface/commands.md#subcommands)`>
    : Fault<`"${O['name']}" is a subcommand or a group beside parameters: a command has either`>

type CheckParameter<O extends Option, At extends Level, Before> = At extends 'group'
  ? Fault<`"${O['name']}" is a parameter: a group contains only subcommands (docs/interface/commands.md#subcommands)`>
  : 'route' extends Before
    ? Fault<`"${O['name']}" is a parameter beside subcommands: a command has either`>
    : O extends { readonly options: unknown }
      ? Fault<`"${O['name']}" is a parameter: only subcommands and groups have options`>
      : [Kind<O>, 'optional' extends Before ? 'late' : 'early'] extends ['required', 'late']
        ? Fault<`"${O['name']}" is required, but follows an optional option: move it before that one (docs/interface/commands.md#options)`>
        : CheckSuggestions<O>

type CheckSuggestions<O extends Option> = O['type'] extends 3 | 4 | 10
  ? O extends { readonly choices: infer Choices extends readonly Choice[] }
    ? O extends { readonly autocomplete: true }
      ? Fault<`"${O['name']}" has choices and autocomplete: an option has either (docs/interface/commands.md#options)`>
      : { readonly choices: { readonly [I in keyof Choices]: Choices[I] & CheckChoice<Choices[I], O> } }
    : unknown
  : O extends { readonly choices: unknown } | { readonly autocomplete: true }
    ? Fault<`"${O['name']}" cannot have choices or autocomplete: only STRING, INTEGER and NUMBER options can (docs/interface/commands.md#options)`>
    : unknown

type CheckChoice<C, O extends Option> = O['type'] extends 3
  ? C extends { readonly value: string }
    ? unknown
    : Fault<`"${O['name']}" is a STRING option: the values of its choices are strings (docs/interface/commands.md#choices)`>
  : C extends { readonly value: number }
    ? unknown
    : Fault<`"${O['name']}" is an INTEGER or NUMBER option: the values of its choices are numbers (docs/interface/commands.md#choices)`>

/** Generic parameters accept unknown keys, so a misspelt `required` would go unnoticed. */
type CheckKeys<T, Known> =
  Exclude<keyof T, Known> extends never
    ? unknown
    : Fault<`There is no field "${Exclude<keyof T, Known> & string}"`>
