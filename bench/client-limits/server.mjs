/** HTTP server of the benchmark, in a separate process: responds to every request with one lobby. Prints its port and runs until its parent exits. */
import { createServer } from 'node:http'
import process from 'node:process'

const member = (id) => ({ id: String(id), metadata: { team: 'red' }, flags: 0 })
const lobby = {
  id: '1287654321098765433',
  application_id: '1234567890123456789',
  metadata: { map: 'moor' },
  members: [1, 2, 3, 4].map(member),
}
const body = Buffer.from(JSON.stringify(lobby))
const server = createServer((request, response) => {
  request.resume()
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
  response.end(body)
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send(server.address().port))
process.on('disconnect', () => process.exit())
