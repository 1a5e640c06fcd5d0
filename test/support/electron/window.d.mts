/** Types of the windows of the fake Electron. */
/** Closes the browser that contains the windows. */
export function closeWindows(): Promise<void>
