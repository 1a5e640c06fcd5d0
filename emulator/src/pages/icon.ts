/** Icon of the emulator's pages. */

export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3f46c9"/><path d="M11 25V8h11M11 16h8" fill="none" stroke="#fff" stroke-width="3.5"/></svg>'
