import fc from 'fast-check'
import { createGraph, parameter, socialSchema } from 'kithgraph'
import { actionsOf } from 'kithgraph/actions'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { toActionViews } from '../../src/explorer/action-view.ts'
import { createActionRequest } from '../../src/explorer/page/action/action-call.ts'
import type { Draft, Drafts } from '../../src/explorer/page/action/draft.ts'
import { readDrafts } from '../../src/explorer/page/action/read-drafts.ts'
import { findServerIssues } from '../../src/explorer/page/action/server-issues.ts'
import type { ParameterView, ValueView } from '../../src/explorer/parameter-view.ts'

const city = parameter.string({ required: true, maxLength: 3 })
const parameters = {
  text: parameter.string({ required: true, maxLength: 4 }),
  note: parameter.string({ nullable: true }),
  count: parameter.int({ min: -2, max: 9 }),
  ratio: parameter.float({ required: true, nullable: true, max: 2.5 }),
  open: parameter.bool(),
  kind: parameter.enum(['short', 'long'], { required: true }),
  time: parameter.datetime(),
  friend: parameter.node('user', { nullable: true }),
  tags: parameter.list(parameter.string({ maxLength: 2 }), { maxItems: 2, required: true }),
  friends: parameter.list(parameter.node(['user', 'page'])),
  grid: parameter.list(parameter.list(parameter.int({ max: 5 }))),
  place: parameter.object({ city, size: parameter.int(), parts: parameter.list(parameter.object({ city })) }),
}

const action = actionsOf(socialSchema)
const declared = action('user', 'try', { policy: 'anyone', parameters, run: () => {} })
const [view = { name: '' }] = toActionViews([declared]).actions ?? []

/** Texts that users enter, most often the first, which is valid. An empty input is `undefined`. */
const textDraft = (texts: readonly string[]): fc.Arbitrary<Draft> => {
  const anyText = fc.constantFrom(...texts, undefined)
  return fc.oneof({ weight: 6, arbitrary: fc.constant(texts[0]) }, { weight: 1, arbitrary: anyText })
}

const TEXTS_BY_TYPE: { readonly [type: string]: readonly string[] } = {
  string: ['a', '', 'abc', 'abcd', 'abcde', ' ', '7'],
  int: ['0', '-2', '-3', '9', '10', '1.5', '1e3', 'x', '+4', ' 00 ', ' ', '99999999999999999999'],
  float: ['0', '2.5', '2.6', '-1e3', '.5', '5.', 'NaN', 'Infinity', '1e999', '0x10', 'x'],
  bool: ['true', 'false'],
  enum: ['short', 'long'],
  datetime: ['2014-08-03T10:30', '2014-08-03T10:30:05', '0001-01-01T00:00', '12345-01-01T00:00'],
  node: ['1', 'me', '3', '4', 'user-1', '..', 'x'],
}

const arbitraryDraft = (value: ValueView, isItem = false): fc.Arbitrary<Draft> => {
  const { type, items, members = [], nullable } = value
  const draft: fc.Arbitrary<Draft> =
    items !== undefined
      ? fc.array(arbitraryDraft(items, true), { maxLength: 3 })
      : type === 'object'
        ? arbitraryDrafts(members)
        : textDraft(TEXTS_BY_TYPE[type] ?? [])
  const withNull = nullable ? fc.oneof({ weight: 5, arbitrary: draft }, fc.constant(null)) : draft
  return isItem ? withNull : fc.option(withNull, { nil: undefined, freq: 8 })
}

const arbitraryDrafts = (views: readonly ParameterView[]): fc.Arbitrary<Drafts> =>
  fc.record(Object.fromEntries(views.map(member => [member.name, arbitraryDraft(member)])))

const createService = async () => {
  const graph = createGraph(createMemoryStore(), { actions: [declared] })
  await graph.write([
    { op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } },
    { op: 'putNode', node: { id: '3', type: 'page', fields: { name: 'Engines' } } },
  ])
  const token = await graph.tokens.issue({ viewer: '1', app: 'demo' })
  const handler = createHandler(graph)
  return async (drafts: Drafts) => {
    const read = readDrafts(view.parameters ?? [], drafts)
    const call = { id: 'me', type: 'user', action: view, version: 'v1.0', values: read.values }
    const { method, path, headers, body } = createActionRequest({ ...call, fields: '', key: 'k' })
    const response = await handler(
      new Request(`http://graph.test${path}`, {
        method,
        headers: { ...headers, Authorization: `Bearer ${token}` },
        ...(body !== undefined && { body }),
      }),
    )
    return { read, status: response.status, body: JSON.parse(await response.text()) }
  }
}

describe('the form of an action', () => {
  it('rejects no value that the graph accepts, and shows each issue of the graph at one of its values', async () => {
    const submit = await createService()
    const seen = { accepted: 0, rejectedByForm: 0, rejectedByGraphAlone: 0 }
    await fc.assert(
      fc.asyncProperty(arbitraryDrafts(view.parameters ?? []), async drafts => {
        const { read, status, body } = await submit(drafts)
        if (status === 200) {
          expect([...read.issues]).toEqual([])
          seen.accepted++
          return
        }
        expect(body.error.error_data.reason).toBe('invalid_parameter')
        const issues = findServerIssues(body, read.paths)
        expect(issues.size).toBeGreaterThan(0)
        for (const path of issues.keys()) expect(read.paths).toContain(path)
        // The graph finds what the form finds. It does not read the items of a list that is too long.
        for (const path of read.issues.keys())
          expect([...issues.keys()].some(issuePath => path.startsWith(issuePath))).toBe(true)
        if (read.issues.size > 0) seen.rejectedByForm++
        else seen.rejectedByGraphAlone++
      }),
      { numRuns: 1000 },
    )
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0)
  })

  it('accepts all kinds of values', async () => {
    const submit = await createService()
    const drafts = {
      text: 'abcd',
      note: null,
      count: '-2',
      ratio: '2.5',
      open: 'true',
      kind: 'long',
      time: '2014-08-03T10:30',
      friend: 'me',
      tags: ['', 'ab'],
      friends: ['1', '3'],
      grid: [['1', '2'], []],
      place: { city: 'abc', size: '1', parts: [{ city: '' }] },
    }
    const { status, body } = await submit(drafts)
    expect([status, body]).toEqual([200, { success: true }])
  })
})
