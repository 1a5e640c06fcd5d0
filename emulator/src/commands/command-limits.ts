/** Limits of commands. */
export const LIMITS = {
  /** Commands per type in one place: the global list, or one guild. */
  perType: { 1: 100, 2: 15, 3: 15, 4: 1 },
  dailyCreates: 200,
  nameLength: 32,
  descriptionLength: 100,
  /** Options in a command, in a subcommand, or in a group. */
  options: 25,
  choices: 25,
  choiceNameLength: 100,
  choiceValueLength: 100,
  /** Total characters of names, descriptions and values of a slash command; each localized string counts with its longest variant. */
  size: 8000,
  minLength: { smallest: 0, largest: 6000 },
  maxLength: { smallest: 1, largest: 6000 },
  overwrites: 100,
} as const
