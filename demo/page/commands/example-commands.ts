/** Commands that the studio shows first: with suggestions, and in the menus of players and messages. */
export const EXAMPLE_COMMANDS = [
  {
    name: 'duel',
    description: 'Challenges another player',
    name_localizations: { de: 'duell' },
    description_localizations: { de: 'Fordert einen anderen Spieler heraus' },
    options: [
      { type: 6, name: 'opponent', description: 'The player to challenge', required: true },
      {
        type: 3,
        name: 'weapon',
        description: 'The weapon of both',
        choices: [
          { name: 'Sword', value: 'sword' },
          { name: 'Wand', value: 'wand' },
        ],
      },
      { type: 3, name: 'arena', description: 'The place, suggested while you type', autocomplete: true },
    ],
  },
  { type: 2, name: 'Challenge' },
  { type: 3, name: 'Report' },
]
