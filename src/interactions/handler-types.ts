/** Which handlers a definition asks for, in types. */
import type {
  AutocompleteOption,
  CheckDefinition,
  Fault,
  HasRoutes,
  OptionsOf,
  OptionValues,
  PartialOptionValues,
} from '../commands/definition-types'
import type { ApplicationCommandOption as Option, GlobalCommandBody as Definition } from '../wire/command'
import type {
  AutocompleteInteraction,
  CommandInteraction,
  EntryPointInteraction,
  HandlerResult,
  MessageCommandInteraction,
  Suggestions,
  UserCommandInteraction,
} from './interaction-types'

/** A function that gets one kind of interaction. */
export type Handler<Interaction> = (interaction: Interaction) => HandlerResult | Promise<HandlerResult>

/** A definition that is checked while it is written. The check stands first: its words are the ones that the compiler prints. */
export type Checked<D extends Definition> = CheckDefinition<D> & D

/** The handlers after the definition: one argument, or none for what never reaches the application. */
export type HandlerArguments<D extends Definition> = D extends { readonly type: 4; readonly handler: 2 }
  ? [
      handlers?: Fault<'SERVICE_LAUNCH_ACTIVITY is configuration only: the service launches the Activity itself and nothing reaches the application (S:64). Leave the handler out, or define `handler: 1` (APP_HANDLER)'>,
    ]
  : [handlers: HandlersOf<D>]

/** A function; an object of functions by route where there are subcommands; `{ run, autocomplete }` where options suggest values. */
export type HandlersOf<D extends Definition> = D extends { readonly type: 2 }
  ? Handler<UserCommandInteraction>
  : D extends { readonly type: 3 }
    ? Handler<MessageCommandInteraction>
    : D extends { readonly type: 4 }
      ? Handler<EntryPointInteraction>
      : RouteHandlers<OptionsOf<D>>

type RouteHandlers<L extends readonly Option[]> =
  HasRoutes<L> extends true
    ? { readonly [R in L[number] as R['name']]: R extends { readonly type: 2 } ? GroupHandlers<OptionsOf<R>> : LeafHandlers<OptionsOf<R>> }
    : LeafHandlers<L>

type GroupHandlers<L extends readonly Option[]> = { readonly [R in L[number] as R['name']]: LeafHandlers<OptionsOf<R>> }

type LeafHandlers<L extends readonly Option[]> =
  AutocompleteOption<L> extends never ? Run<L> | { readonly run: Run<L> } : WithAutocomplete<L>

type Run<L extends readonly Option[]> = Handler<CommandInteraction<OptionValues<L>>>

/** Every option with `autocomplete: true` has a handler of its name here. */
interface WithAutocomplete<L extends readonly Option[]> {
  readonly run: Run<L>
  readonly autocomplete: { readonly [O in AutocompleteOption<L> as O['name']]: Suggest<L, O> }
}

type Suggest<L extends readonly Option[], O extends Option> = O['type'] extends 3
  ? (interaction: AutocompleteInteraction<PartialOptionValues<L>, string>) => Suggestions<string> | Promise<Suggestions<string>>
  : (interaction: AutocompleteInteraction<PartialOptionValues<L>, number | undefined>) => Suggestions<number> | Promise<Suggestions<number>>
