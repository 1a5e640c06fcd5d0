/** A real browser behind the few gestures that every engine can be asked for. */

export interface EnginePage {
  goto(url: string): Promise<void>
  reload(): Promise<void>
  /** What stands in the address bar. */
  url(): Promise<string>
  /** Waits for the element and clicks it. */
  click(css: string): Promise<void>
  /** Waits for a button or label with these words and clicks it. */
  press(words: string): Promise<void>
  /** The value of an expression in the page; a promise is awaited. */
  evaluate<T>(expression: string): Promise<T>
}

export interface Engine {
  /** A page in a profile of its own: nothing is stored there yet. */
  open(): Promise<EnginePage>
  close(): Promise<void>
}

/** Where buttons and labels with these words are. */
export function xpathOf(words: string): string {
  return `//button[contains(., "${words}")] | //label[contains(., "${words}")]`
}
