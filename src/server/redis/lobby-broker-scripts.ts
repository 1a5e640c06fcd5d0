/** Lua scripts of the lobby broker. Each runs atomically, and uses the server's clock only. */
export { default as ADD_MEMBER } from './lua/add-member.lua?raw'
export { default as GET_ALL } from './lua/get-all.lua?raw'
export { default as INCREMENT } from './lua/increment.lua?raw'
export { default as MEMBERS } from './lua/members.lua?raw'
export { default as NEXT_VERSION } from './lua/next-version.lua?raw'
export { default as PUT_NEWEST } from './lua/put-newest.lua?raw'
export { default as REMOVE_MEMBER } from './lua/remove-member.lua?raw'
export { default as TAKE } from './lua/take.lua?raw'
