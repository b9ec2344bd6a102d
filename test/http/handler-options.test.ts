import { createGraph } from 'kithgraph'
import { createHandler, type HandlerOptions } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'

const graph = createGraph(createMemoryStore())
const createTestHandler = (options: object) => createHandler(graph, options as HandlerOptions)

describe('the option cors.origin of createHandler', () => {
  it.each([
    'https://app.example',
    'http://localhost:3000',
    'http://[::1]:8080',
    'capacitor://localhost',
    'chrome-extension://abcdefghijklmnop',
  ])('accepts %s', origin => {
    expect(() => createTestHandler({ cors: { origin: [origin] } })).not.toThrow()
  })

  it.each([
    '*',
    'null',
    '',
    'app.example',
    'app.example:443',
    'https://app.example/',
    'https://app.example/path',
    'https://App.example',
    'https://app.example:443',
    'https://ada@app.example',
    'file:///app',
    7,
  ])('rejects an origin that no browser sends: %s', origin => {
    const received = JSON.stringify(origin)
    expect(() => createTestHandler({ cors: { origin: ['https://app.example', origin] } })).toThrow(
      new TypeError(
        `createHandler: "cors.origin[1]" must be an origin such as https://app.example, without a path; received ${received}`,
      ),
    )
  })

  it('must be a list of origins or "*"', () => {
    expect(() => createTestHandler({ cors: { origin: '*' } })).not.toThrow()
    expect(() => createTestHandler({ cors: { origin: 'https://app.example' } })).toThrow(
      new TypeError(
        `createHandler: "cors.origin" must be "*" or an array of origins; received "https://app.example"`,
      ),
    )
  })
})

describe('the option baseUrl of createHandler', () => {
  it.each(['https://ada:secret@api.example', 'https://:secret@api.example', 'https://ada@api.example'])(
    'rejects a user name or a password, and does not repeat it: %s',
    baseUrl => {
      expect(() => createTestHandler({ baseUrl })).toThrow(
        new TypeError(
          'createHandler: "baseUrl" must be an absolute URL without a query or a password, such as https://api.example/graph; received a URL that may contain a password',
        ),
      )
    },
  )

  it.each(['/graph', 'ftp://api.example', 'https://api.example/?a=b', 'https://api.example/#a'])(
    'rejects a URL that is relative, not HTTP, or has a query or a fragment: %s',
    baseUrl => {
      expect(() => createTestHandler({ baseUrl })).toThrow(
        new TypeError(
          `createHandler: "baseUrl" must be an absolute URL without a query or a password, such as https://api.example/graph; received "${baseUrl}"`,
        ),
      )
    },
  )
})
