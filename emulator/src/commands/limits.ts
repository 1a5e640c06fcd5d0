/** How much of everything a command may have. */
export const limits = {
  /** Commands of each type in one place: the application's global list, or one guild's. */
  perType: { 1: 100, 2: 15, 3: 15, 4: 1 },
  dailyCreates: 200,
  nameLength: 32,
  descriptionLength: 100,
  /** In a command, in a subcommand, in a group. */
  options: 25,
  choices: 25,
  choiceNameLength: 100,
  choiceValueLength: 100,
  /** Names, descriptions and values of a slash command together, each localized text by its longest variant. */
  size: 8000,
  minLength: { smallest: 0, largest: 6000 },
  maxLength: { smallest: 1, largest: 6000 },
  overwrites: 100,
} as const
