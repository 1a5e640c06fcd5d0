/** Port of a group: runs a call in a module that is loaded with the first one. */

/** Runs a public call for the player who is signed in now. @throws FoyerError. */
export type RunInModule<Methods> = <T>(call: (methods: Methods) => Promise<T>) => Promise<T>
