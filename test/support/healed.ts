/** Options of a poll after a fault: `npm run failover` demands 10 s; beside other tests the machine may be slow. */
export const HEALED = { timeout: Number(process.env['FOYER_HEALED_WITHIN'] ?? 60_000), interval: 50 }
