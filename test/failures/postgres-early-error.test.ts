import { createServer } from 'node:net'
import { createPostgresStore } from 'kithgraph/postgres'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { startServer } from '../helpers/start-server.ts'

/** Creates a message of the protocol of Postgres: a type, the length, and the content. */
const createMessage = (type: string, content: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(content.length + 4)
  return Buffer.concat([Buffer.from(type), length, content])
}

const AUTHENTICATED = createMessage('R', Buffer.alloc(4))
const READY = createMessage('Z', Buffer.from('I'))
const TERMINATED = createMessage(
  'E',
  Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'),
)

describe('a Postgres server that accepts a connection and ends it in the same packet', () => {
  it('makes the call fail with an error of the client, and does not end the process', async () => {
    const server = await startServer(
      createServer(socket => {
        socket.on('error', () => undefined)
        socket.once('data', () => socket.end(Buffer.concat([AUTHENTICATED, READY, TERMINATED])))
      }),
    )
    const pool = new pg.Pool({ host: '127.0.0.1', port: server.port, user: 'any', ssl: false })
    pool.on('error', () => undefined)
    await expect(Promise.resolve(createPostgresStore(pool).open())).rejects.toThrow()
    await pool.end()
    await server.stop()
  })
})
