/** Chooses a port for the backend that `exec` starts, so that two games on one machine do not use the same one. */
import { createServer } from 'node:net'

/** Replaces port 0 of an address with a free port. The command receives the port as the variable `PORT`. */
export async function chooseBackendPort(
  address: string | undefined,
): Promise<{ address: string | undefined; variables: Record<string, string> }> {
  const url = URL.parse(address ?? '')
  if (url?.port !== '0') return { address, variables: {} }
  url.port = String(await freePort())
  return { address: url.href, variables: { PORT: url.port } }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (address === null || typeof address === 'string' ? reject(new Error('no TCP port')) : resolve(address.port)))
    })
  })
}
