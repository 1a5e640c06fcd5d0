/** A real browser, with the few actions that every engine supports. */

export interface EnginePage {
  goto(url: string): Promise<void>
  reload(): Promise<void>
  /** Goes one page back in the history, as the browser's button does. Resolves when the navigation has begun. */
  back(): Promise<void>
  /** Resolves with the URL in the address bar. */
  url(): Promise<string>
  /** Waits for the element and clicks it. */
  click(css: string): Promise<void>
  /** Waits for a button or label with this text and clicks it. */
  press(words: string): Promise<void>
  /** Clicks the element, then presses a key for each character; `\n` is Enter. */
  type(css: string, text: string): Promise<void>
  /** Touches an element of the window with a finger, without a mouse. */
  tap(css: string): Promise<void>
  /** Clicks or taps, and resolves with the window that opens. */
  popupAfter(css: string, gesture?: 'click' | 'tap'): Promise<EnginePage>
  /** Sets the inner size of the window, in CSS pixels. */
  resize(width: number, height: number): Promise<void>
  /** Presses Tab that many times. */
  pressTab(times: number): Promise<void>
  /** Runs a script in each further document of the page, before its own scripts. */
  runFirst(script: string): Promise<void>
  /** Takes a picture of the whole page as PNG. */
  picture(): Promise<Buffer>
  /** Evaluates an expression in the page; a promise is awaited. Never call it in parallel on pages of one profile: see `startIn`. */
  evaluate<T>(expression: string): Promise<T>
  /** Resolves with the only frame of the page. */
  frame(): Promise<EnginePage>
  /** Opens another page with the same stored data. */
  openTab(): Promise<EnginePage>
  /** Number of open windows and tabs of the profile. */
  windows(): Promise<number>
  isClosed(): Promise<boolean>
  close(): Promise<void>
}

/** Profile of a browser that outlives it: a folder, in which another browser finds what is stored. */
export interface Profile {
  folder: string
  /** Opens private windows only. */
  isPrivate?: boolean
  /** Blocks cookies and all other storage of sites, as the player can in the settings. */
  blocksStorage?: boolean
}

export interface LaunchOptions {
  /** Default: a fresh one, which ends with the browser. */
  profile?: Profile
  /** The pages need WebGL. Default: false. */
  webgl?: boolean
  /** Chromium without a popup blocker and a back/forward cache: a third of the processor time, and the same pages. Default: false. */
  contentOnly?: boolean
  /** The display has room for a picture of a long page; WebKit's window then lacks the focus. Default: false. */
  takesPictures?: boolean
}

export interface Engine {
  /** Opens a page in a fresh profile without stored data, unless the browser has a `Profile`. Closes the pages of earlier profiles. */
  open(): Promise<EnginePage>
  close(): Promise<void>
}

/** Tab in the protocols (W3C WebDriver section 17.4.2). */
export const TAB = '\uE004'

/** XPath of buttons and labels with this text. */
export function xpathOf(words: string): string {
  return `//button[contains(., "${words}")] | //label[contains(., "${words}")]`
}

/** True once all style sheets have loaded: a click goes to a point, and a style sheet that arrives meanwhile moves the elements. */
export const IS_STYLED = '[...document.querySelectorAll("link[rel=stylesheet]")].every(({ sheet }) => sheet)'
