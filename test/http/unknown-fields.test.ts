import { createHandler, type HandlerOptions } from 'kithgraph/http'
import { describe, expect, it } from 'vitest'
import { ADA, FIRST_COMMENT, GRACE, NEWEST_PHOTO } from '../helpers/world.ts'
import { createJsonRequest, serveWorld } from './served-world.ts'

const lenient = await serveWorld({ unknownFields: 'ignore' })
const strict = await serveWorld({ unknownFields: 'error' })
const { read, reasonOf } = lenient

describe("unknown fields with unknownFields: 'ignore'", () => {
  it('are dropped, even if they are nested', async () => {
    expect(await read('/me?fields=name,nmae,picture.as(p){url,ulr}')).toEqual({
      name: 'Ada Lovelace',
      p: { data: { url: 'https://img.example/ada/50.jpg' } },
      id: ADA,
    })
    const { data } = await read('/me/photos?limit=1&fields=nope,from{name,nope,nope2{x}}')
    expect(data).toEqual([{ from: { name: 'Ada Lovelace', id: ADA }, id: NEWEST_PHOTO }])
  })

  it('are dropped, and the id is returned if nothing else is selected', async () => {
    expect(await read('/me?fields=nope')).toEqual({ id: ADA })
    expect(await read('/me?fields=friends.limit(1){nope}')).toMatchObject({
      friends: { data: [{ id: '3' }] },
    })
  })

  it('cause debug messages only with the parameter debug or partial', async () => {
    const { __debug__, ...me } = await read('/me?fields=name,nmae&debug=all')
    expect(me).toEqual({ name: 'Ada Lovelace', id: ADA })
    expect(__debug__.messages).toEqual([
      {
        message:
          '(#100) Tried accessing nonexisting field (nmae) on node type (user|page); did you mean name?',
        type: 'warning',
      },
    ])
    expect((await read('/me?fields=nmae&partial=1')).__debug__.messages).toHaveLength(1)
  })

  it('are dropped for several ids and in batches', async () => {
    expect(await read(`/?ids=${ADA},${GRACE}&fields=id,nmae`)).toEqual({
      [ADA]: { id: ADA },
      [GRACE]: { id: GRACE },
    })
    const batch = [{ method: 'GET', relative_url: 'me?fields=name,nmae' }]
    const [item] = await read('/', createJsonRequest({ batch }))
    expect(JSON.parse(item.body)).toEqual({ name: 'Ada Lovelace', id: ADA })
  })

  it('are kept in paging links, which still work', async () => {
    const first = await read('/me/photos?limit=1&fields=id,nope')
    const next = new URL(first.paging.next)
    expect((await read(next.pathname + next.search)).data).toHaveLength(1)
  })
})

describe("other errors with unknownFields: 'ignore'", () => {
  it('are returned', async () => {
    for (const [path, reason] of [
      [`/?ids=${ADA},999&fields=id`, 'node_not_found'],
      ['/me/nope', 'field_not_found'],
      ['/me?fields=name.nope(1)', 'invalid_parameter'],
      ['/me?fields=name{x}', 'invalid_parameter'],
      ['/me?fields=name,', 'invalid_syntax'],
      ['/me?fields=nope,nope', 'duplicate_name'],
      [`/${FIRST_COMMENT}/picture`, 'field_not_found'],
      [`/picture?ids=${FIRST_COMMENT}`, 'field_not_found'],
    ] as const)
      expect(await reasonOf(path)).toBe(reason)
  })
})

describe('unknown fields by default', () => {
  it('cause an error', async () => {
    expect(await strict.reasonOf('/me?fields=name,nmae')).toBe('field_not_found')
    expect(await (await serveWorld()).reasonOf('/me?fields=picture{ulr}')).toBe('field_not_found')
  })
})

describe('the option unknownFields', () => {
  it.each(['', 'warn', true, null])('rejects any other value: %o', word => {
    const options = { unknownFields: word } as unknown as HandlerOptions
    expect(() => createHandler(lenient.graph, options)).toThrow(
      /^createHandler: "unknownFields" must be one of "error", "ignore"; received /,
    )
  })
})
