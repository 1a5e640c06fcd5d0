/** Settings of which each may be left out. One that is undefined counts as left out, also under `exactOptionalPropertyTypes`. */
export type Optional<T> = { [Name in keyof T]?: T[Name] | undefined }
