/** Waits for file operations of this process. */

/** Resolves when no file operation is in progress: a closed client still deletes its attempts from its encrypted store. */
export async function filesAtRest(): Promise<void> {
  do await new Promise((resolve) => void setImmediate(resolve))
  while (process.getActiveResourcesInfo().some((name) => /^(FSReq|CloseReq)/.test(name)))
}
