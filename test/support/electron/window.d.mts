/** The windows of the stand-in. */
/** Closes the browser that they are pages of. */
export function closeWindows(): Promise<void>
