/** A real browser, with the few actions that every engine supports. */

export interface EnginePage {
  goto(url: string): Promise<void>
  reload(): Promise<void>
  /** Resolves with the URL in the address bar. */
  url(): Promise<string>
  /** Waits for the element and clicks it. */
  click(css: string): Promise<void>
  /** Waits for a button or label with this text and clicks it. */
  press(words: string): Promise<void>
  /** Evaluates an expression in the page; a promise is awaited. */
  evaluate<T>(expression: string): Promise<T>
}

export interface Engine {
  /** Opens a page in a fresh profile without stored data. */
  open(): Promise<EnginePage>
  close(): Promise<void>
}

/** XPath of buttons and labels with this text. */
export function xpathOf(words: string): string {
  return `//button[contains(., "${words}")] | //label[contains(., "${words}")]`
}
