/** The library itself, which is a dependency of this folder alone. */
export { Client, Events, GatewayIntentBits } from 'discord.js'
