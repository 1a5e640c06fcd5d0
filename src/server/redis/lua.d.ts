/** A Lua script as text: the build and the tests read the file. */
declare module '*.lua?raw' {
  const script: string
  export default script
}
