/** Question at the end of a refused credential: is its variable set? */

/** Neither Node nor a Worker puts the lines of a file into `process.env` by itself. */
export const askVariable = (name: string): string =>
  `is ${name} set? Node reads a file with node --env-file=.env, and a Worker has it in env, the second argument of fetch`
