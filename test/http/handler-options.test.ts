import { createGraph } from 'kithgraph'
import { createHandler, type HandlerOptions } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'

const graph = createGraph(createMemoryStore())
const handlerOf = (options: object) => createHandler(graph, options as HandlerOptions)

describe('an origin that may call', () => {
  it.each([
    'https://app.example',
    'http://localhost:3000',
    'http://[::1]:8080',
    'capacitor://localhost',
    'chrome-extension://abcdefghijklmnop',
  ])('may be %s', origin => {
    expect(() => handlerOf({ cors: { origin: [origin] } })).not.toThrow()
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
  ])('is none that no browser sends: %s', origin => {
    const came = JSON.stringify(origin)
    expect(() => handlerOf({ cors: { origin: ['https://app.example', origin] } })).toThrow(
      new TypeError(
        `createHandler: cors.origin[1] must be such as https://app.example, without a path, came ${came}`,
      ),
    )
  })

  it('is one of a list, or any', () => {
    expect(() => handlerOf({ cors: { origin: '*' } })).not.toThrow()
    expect(() => handlerOf({ cors: { origin: 'https://app.example' } })).toThrow(
      new TypeError(
        `createHandler: cors.origin must be '*' or a list of origins, came "https://app.example"`,
      ),
    )
  })
})

describe('a base URL', () => {
  it.each(['https://ada:secret@api.example', 'https://:secret@api.example', 'https://ada@api.example'])(
    'has neither name nor password, and a fault tells neither: %s',
    baseUrl => {
      expect(() => handlerOf({ baseUrl })).toThrow(
        new TypeError('createHandler: baseUrl must be without a name and a password'),
      )
    },
  )

  it.each(['/graph', 'ftp://api.example', 'https://api.example/?a=b', 'https://api.example/#a'])(
    'is absolute, without a query: %s',
    baseUrl => {
      expect(() => handlerOf({ baseUrl })).toThrow(
        new TypeError(
          `createHandler: baseUrl must be an absolute URL without a query, such as https://api.example/graph, came "${baseUrl}"`,
        ),
      )
    },
  )
})
