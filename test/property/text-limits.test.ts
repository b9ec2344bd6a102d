import fc, { type Arbitrary } from 'fast-check'
import { createGraph, isGraphError, socialSchema } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import type { Schema } from '../../src/schema/schema.ts'
import { propertySettings } from './property-settings.ts'

/** All reasons of errors that the text of an otherwise valid call can cause. */
const REASONS = [
  'invalid_syntax',
  'duplicate_name',
  'field_not_found',
  'invalid_parameter',
  'scope_missing',
  'expression_too_long',
  'expression_too_deep',
  'expression_too_wide',
  'query_too_expensive',
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

/**
 * Almost valid expressions: texts from the tokens of the grammar, and valid expressions with a few changes.
 */
const almostValidTexts: Arbitrary<string> = fc.oneof(
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

/** Texts that are far from valid: any characters, and many repetitions of one text. */
const wildTexts: Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60, size: 'max' }),
  // These texts include lone surrogates.
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

/** Returns the reason of the error of a call, or `undefined` if it succeeds. Rethrows other errors. */
const catchReason = async (call: () => Promise<unknown>): Promise<string | undefined> => {
  try {
    await call()
    return undefined
  } catch (error) {
    if (isGraphError(error)) return error.reason
    throw error
  }
}

describe('arbitrary text from a client', () => {
  for (const [kind, text] of Object.entries({
    'almost valid': almostValidTexts,
    'far from valid': wildTexts,
  })) {
    it(`as fields gives a result or a documented error: ${kind}`, async () => {
      const { graph, session } = await openGraph()
      await fc.assert(
        fc.asyncProperty(text, async fields => {
          for (const call of [
            () => graph.getMe(session, { fields }),
            () => graph.getEdge(session, { id: '1', edge: 'likes', fields }),
          ]) {
            expect([undefined, ...REASONS]).toContain(await catchReason(call))
          }
          return true
        }),
        propertySettings(500),
      )
    })
  }

  it('as an id, cursor, date, edge, version or token gives a result or a documented error', async () => {
    const { graph, session } = await openGraph()
    const reasons = [
      undefined,
      'invalid_parameter',
      'field_not_found',
      'node_not_found',
      'token_missing',
      'token_invalid',
    ]
    await fc.assert(
      fc.asyncProperty(fc.oneof(almostValidTexts, wildTexts), async text => {
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
          expect(reasons).toContain(await catchReason(call))
        }
      }),
      propertySettings(200),
    )
  })

  it('as the argument of a modifier gives a result or a documented error', async () => {
    const { graph, session } = await openGraph()
    const names = ['limit', 'after', 'before', 'since', 'until', 'order', 'summary', 'as', 'width', 'type']
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.oneof(almostValidTexts, wildTexts),
        async (name, text) => {
          for (const fields of [`likes.${name}(${text})`, `picture.${name}(${JSON.stringify(text)})`]) {
            expect([undefined, ...REASONS]).toContain(
              await catchReason(() => graph.getMe(session, { fields })),
            )
          }
        },
      ),
      propertySettings(200),
    )
  })
})
