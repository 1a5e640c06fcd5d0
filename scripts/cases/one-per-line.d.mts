/** The types of `one-per-line.mjs`, for its tests. */
export function onePerLine(text: string): string
