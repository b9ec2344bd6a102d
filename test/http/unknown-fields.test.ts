import { createHandler, type HandlerOptions } from 'kithgraph/http'
import { describe, expect, it } from 'vitest'
import { ADA, FIRST_COMMENT, GRACE, NEWEST_PHOTO } from '../helpers/world.ts'
import { json, serveWorld } from './served-world.ts'

const lenient = await serveWorld({ unknownFields: 'ignore' })
const strict = await serveWorld({ unknownFields: 'error' })
const { read, reasonOf } = lenient

describe('unknown names in fields, where the handler ignores them', () => {
  it('are dropped, nested ones too', async () => {
    expect(await read('/me?fields=name,nmae,picture.as(p){url,ulr}')).toEqual({
      name: 'Ada Lovelace',
      p: { data: { url: 'https://img.example/ada/50.jpg' } },
      id: ADA,
    })
    const { data } = await read('/me/photos?limit=1&fields=nope,from{name,nope,nope2{x}}')
    expect(data).toEqual([{ from: { name: 'Ada Lovelace', id: ADA }, id: NEWEST_PHOTO }])
  })

  it('leave the id where nothing else is left', async () => {
    expect(await read('/me?fields=nope')).toEqual({ id: ADA })
    expect(await read('/me?fields=friends.limit(1){nope}')).toMatchObject({
      friends: { data: [{ id: '3' }] },
    })
  })

  it('are messages under debug alone', async () => {
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

  it('are dropped of several ids and in batches', async () => {
    expect(await read(`/?ids=${ADA},${GRACE}&fields=id,nmae`)).toEqual({
      [ADA]: { id: ADA },
      [GRACE]: { id: GRACE },
    })
    const batch = [{ method: 'GET', relative_url: 'me?fields=name,nmae' }]
    const [item] = await read('/', json({ batch }))
    expect(JSON.parse(item.body)).toEqual({ name: 'Ada Lovelace', id: ADA })
  })

  it('are followed by links that work', async () => {
    const first = await read('/me/photos?limit=1&fields=id,nope')
    const next = new URL(first.paging.next)
    expect((await read(next.pathname + next.search)).data).toHaveLength(1)
  })
})

describe('everything else that is wrong, where the handler ignores unknown fields', () => {
  it('is still an error', async () => {
    for (const [path, reason] of [
      [`/?ids=${ADA},999&fields=id`, 'node_missing'],
      ['/me/nope', 'unknown_field'],
      ['/me?fields=name.nope(1)', 'bad_parameter'],
      ['/me?fields=name{x}', 'bad_parameter'],
      ['/me?fields=name,', 'syntax'],
      ['/me?fields=nope,nope', 'duplicate'],
      [`/${FIRST_COMMENT}/picture`, 'unknown_field'],
      [`/picture?ids=${FIRST_COMMENT}`, 'unknown_field'],
    ] as const)
      expect(await reasonOf(path)).toBe(reason)
  })
})

describe('unknown names in fields, by default', () => {
  it('are an error', async () => {
    expect(await strict.reasonOf('/me?fields=name,nmae')).toBe('unknown_field')
    expect(await (await serveWorld()).reasonOf('/me?fields=picture{ulr}')).toBe('unknown_field')
  })
})

describe('the option unknownFields', () => {
  it.each(['', 'warn', true, null])('is one of two words: %o', word => {
    const options = { unknownFields: word } as unknown as HandlerOptions
    expect(() => createHandler(lenient.graph, options)).toThrow(
      /^createHandler: "unknownFields" must be 'error' or 'ignore'; received /,
    )
  })
})
