/** Waiting for what this process still reads and writes. */

/** Resolves when no file operation is under way: a client that was closed still takes its sign-ins out of its vault. */
export async function filesAtRest(): Promise<void> {
  do await new Promise((resolve) => void setImmediate(resolve))
  while (process.getActiveResourcesInfo().some((name) => /^(FSReq|CloseReq)/.test(name)))
}
