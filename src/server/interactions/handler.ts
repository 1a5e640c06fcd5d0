/** Handler types derived from a command definition. */
import type {
  AutocompleteOption,
  CheckDefinition,
  Fault,
  HasRoutes,
  OptionsOf,
  OptionValues,
  PartialOptionValues,
} from '../commands/types-from-definition'
import type {
  ApplicationCommandOption as Option,
  GlobalCommandBody as Definition,
} from '../../shared/wire/command'
import type {
  AutocompleteInteraction,
  CommandInteraction,
  EntryPointInteraction,
  HandlerResult,
  MessageCommandInteraction,
  Suggestions,
  UserCommandInteraction,
} from './interaction-types'
import type { Visibility } from './visibility'

/** Handler of one kind of interaction. The returned reply is sent; return nothing after sending one through a method. */
export type Handler<Interaction> = (interaction: Interaction) => HandlerResult | Promise<HandlerResult>

/** Definition with compile-time checks. The check is the first operand because the compiler prints its message. */
export type Checked<D extends Definition> = CheckDefinition<D> & D

/** Arguments after the definition: the handlers, or none if the command never reaches the application. */
export type HandlerArguments<D extends Definition> = D extends { readonly type: 4; readonly handler: 2 }
  ? [
      handlers?: Fault<'SERVICE_LAUNCH_ACTIVITY is configuration only: the service launches the Activity itself and nothing reaches the application (docs/interface/commands.md#entry-points). Leave the handler out, or define `handler: 1` (APP_HANDLER)'>,
    ]
  : [handlers: HandlersOf<D>, options?: CommandOptions]

/** Options of all handlers of a command, or of the handler of a modal. */
export interface CommandOptions {
  /**
   * Readers of the placeholder of a deferral, and messages that do not say it by `ephemeral`. Default: that of `createInteractionHandler`.
   */
  readonly visibility?: Visibility | undefined
}

/** A function; an object of functions by subcommand name; or `{ run, autocomplete }` if options have autocomplete. */
export type HandlersOf<D extends Definition> = D extends { readonly type: 2 }
  ? Handler<UserCommandInteraction>
  : D extends { readonly type: 3 }
    ? Handler<MessageCommandInteraction>
    : D extends { readonly type: 4 }
      ? Handler<EntryPointInteraction>
      : RouteHandlers<OptionsOf<D>>

type RouteHandlers<L extends readonly Option[]> =
  HasRoutes<L> extends true
    ? {
        readonly [R in L[number] as R['name']]: R extends { readonly type: 2 }
          ? GroupHandlers<OptionsOf<R>>
          : LeafHandlers<OptionsOf<R>>
      }
    : LeafHandlers<L>

type GroupHandlers<L extends readonly Option[]> = {
  readonly [R in L[number] as R['name']]: LeafHandlers<OptionsOf<R>>
}

type LeafHandlers<L extends readonly Option[]> =
  AutocompleteOption<L> extends never ? Run<L> | RunOnly<L> : WithAutocomplete<L>

type Run<L extends readonly Option[]> = Handler<CommandInteraction<OptionValues<L>>>

interface RunOnly<L extends readonly Option[]> extends CommandOptions {
  readonly run: Run<L>
}

/** `autocomplete` has one handler for each option with `autocomplete: true`. */
interface WithAutocomplete<L extends readonly Option[]> extends RunOnly<L> {
  readonly autocomplete: { readonly [O in AutocompleteOption<L> as O['name']]: Suggest<L, O> }
}

type Suggest<L extends readonly Option[], O extends Option> = O['type'] extends 3
  ? (
      interaction: AutocompleteInteraction<PartialOptionValues<L>, string>,
    ) => Suggestions<string> | Promise<Suggestions<string>>
  : (
      interaction: AutocompleteInteraction<PartialOptionValues<L>, number | undefined>,
    ) => Suggestions<number> | Promise<Suggestions<number>>
