import fc, { type Arbitrary } from 'fast-check'
import { createGraph, isGraphError, socialSchema } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import type { Schema } from '../../src/schema/schema.ts'
import { settings } from './settings.ts'

/** All that the text of a good call can be at fault for. */
const REASONS = [
  'syntax',
  'duplicate',
  'unknown_field',
  'bad_parameter',
  'scope_missing',
  'expression_too_long',
  'expression_too_deep',
  'expression_too_wide',
  'too_costly',
]

const TOKENS = [
  ...'.,(){}[]"\\ \n0a_',
  'id',
  'name',
  'photos',
  'likes',
  'from',
  'picture',
  '.limit(',
  '.as(',
  '.after(',
  '.since(',
  '.order(',
  '.fields(',
  '.width(',
  'first)',
  '1)',
  'true)',
]

/** Nearly good expressions: texts over the alphabet of the grammar, and good ones with a few characters changed. */
const nearly: Arbitrary<string> = fc.oneof(
  fc.array(fc.constantFrom(...TOKENS), { maxLength: 30, size: 'max' }).map(tokens => tokens.join('')),
  fc
    .tuple(
      fc.constantFrom(
        'id,name,photos.limit(2).as(newest){from{name},likes.summary(true)}',
        'photos . fields( picture.width(100).type("large"), comments.order(chronological).after("x y") )',
        'likes.since(2012-01-01).until(1325376000){name,photos.limit(1){likes.limit(1)}}',
      ),
      fc.array(fc.tuple(fc.nat(90), fc.nat(2), fc.constantFrom(...TOKENS)), { maxLength: 3 }),
    )
    .map(([text, edits]) => {
      let edited = text
      for (const [at, length, token] of edits)
        edited = edited.slice(0, at) + token + edited.slice(at + length)
      return edited
    }),
)

/** Texts that are far from good: anything at all, and much of one thing. */
const wild: Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60, size: 'max' }),
  // Halves of surrogate pairs too.
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
    .map(units => String.fromCharCode(...units)),
  fc
    .tuple(
      fc.constantFrom(
        '(',
        '{',
        'a{',
        'a.b(',
        'likes{',
        'likes.limit(100){',
        '"',
        'a,',
        ' ',
        '\\',
        'a.limit((',
        '[{',
      ),
      fc.constantFrom(7, 8, 9, 199, 200, 201, 4096, 8192, 8193, 100_000),
    )
    .map(([text, times]) => text.repeat(times)),
)

const openGraph = async () => {
  const store = createMemoryStore()
  await store.write([{ op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } }], {
    signal: undefined,
  })
  const schema: Schema = socialSchema
  const graph = createGraph(store, { schema })
  const scopes = ['user_photos', 'user_likes', 'user_friends']
  return { graph, session: graph.session({ viewer: '1', app: 'tests', scopes }) }
}

/** Why a call was refused; undefined where it was answered. Whatever is no fault of the graph is thrown on. */
const reasonOf = async (call: () => Promise<unknown>): Promise<string | undefined> => {
  try {
    await call()
    return undefined
  } catch (error) {
    if (isGraphError(error)) return error.data.reason
    throw error
  }
}

describe('any text whatever is answered, or refused for a reason that is documented', () => {
  for (const [kind, text] of Object.entries({ 'nearly good': nearly, 'far from good': wild })) {
    it(`as fields that are ${kind}`, async () => {
      const { graph, session } = await openGraph()
      await fc.assert(
        fc.asyncProperty(text, async fields => {
          for (const call of [
            () => graph.getMe(session, { fields }),
            () => graph.getEdge(session, { id: '1', edge: 'likes', fields }),
          ]) {
            expect([undefined, ...REASONS]).toContain(await reasonOf(call))
          }
          return true
        }),
        settings(500),
      )
    })
  }

  it('as an id, a cursor, a date, an edge, a version or a token', async () => {
    const { graph, session } = await openGraph()
    const reasons = [
      undefined,
      'bad_parameter',
      'unknown_field',
      'node_missing',
      'token_missing',
      'token_unknown',
    ]
    await fc.assert(
      fc.asyncProperty(fc.oneof(nearly, wild), async text => {
        const edge = { id: '1', edge: 'likes' }
        for (const call of [
          () => graph.getNode(session, { id: text }),
          () => graph.getEdge(session, { ...edge, after: text }),
          () => graph.getEdge(session, { ...edge, before: text }),
          () => graph.getEdge(session, { ...edge, since: text }),
          () => graph.getEdge(session, { ...edge, until: text }),
          () => graph.getEdge(session, { ...edge, edge: text }),
          () => graph.getMe(session, { version: text }),
          () => graph.getMe(text),
        ]) {
          expect(reasons).toContain(await reasonOf(call))
        }
      }),
      settings(200),
    )
  })

  it('as the argument of a modifier', async () => {
    const { graph, session } = await openGraph()
    const names = ['limit', 'after', 'before', 'since', 'until', 'order', 'summary', 'as', 'width', 'type']
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), fc.oneof(nearly, wild), async (name, text) => {
        for (const fields of [`likes.${name}(${text})`, `picture.${name}(${JSON.stringify(text)})`]) {
          expect([undefined, ...REASONS]).toContain(await reasonOf(() => graph.getMe(session, { fields })))
        }
      }),
      settings(200),
    )
  })
})
