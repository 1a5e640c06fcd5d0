/** Remedies for handlers that call what interactions of discord.js have, by the name of the missing function (docs/from-discord-js.md). */

const HABITS: readonly (readonly [names: RegExp, remedy: string])[] = [
  [/^getSubcommand(Group)?$/, 'Each subcommand has a handler: defineCommand(definition, { add: … })'],
  [/^getFocused$/, 'text is what was typed, and value its value'],
  [/^getTextInputValue$/, 'The fields of a form are in values: values.reason'],
  [/^get[A-Z]\w*$/, 'Options are read by name: options.weapon'],
  [/^deferReply$/, 'Call defer(), or nothing: a slow handler is deferred automatically'],
  [/^deferUpdate$/, 'Call update() when the message is ready: a slow handler is deferred automatically'],
  [/^(respond|reply|followUp|editReply)$/, 'A handler of suggestions returns them'],
  [/^is(Button|MessageComponent|\w*SelectMenu)$/, 'onComponent has the handler of components'],
  [/^isModalSubmit$/, 'defineModal has the handler of one modal'],
  [/^is(Autocomplete|\w*Command)$/, 'defineCommand has the handlers of one command'],
]

/** Undefined for any other error. */
export function habitRemedy(error: unknown): string | undefined {
  if (!(error instanceof TypeError)) return undefined
  const [, missing, read = ''] =
    /\.(\w+) is not a function|reading '(getTextInputValue)'/.exec(error.message) ?? []
  const [, remedy] = HABITS.find(([names]) => names.test(missing ?? read)) ?? []
  return remedy && `${remedy}. docs/from-discord-js.md has each call`
}
