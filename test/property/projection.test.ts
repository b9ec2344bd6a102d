import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ask, outcomeOf } from '../helpers/ask.ts'
import { type Declared, declaredAs } from '../helpers/naive-graph/declared.ts'
import { argumentsOf, type Item, keyOf, printItems } from '../helpers/naive-graph/query.ts'
import { openWorld } from '../helpers/open-world.ts'
import { inquiries } from '../helpers/query-arbitraries.ts'
import { settings } from './settings.ts'

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).find(([name]) => name === key)?.[1]
    : undefined

/** An answer without its links, which tell what was asked. */
const withoutLinks = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutLinks)
  if (typeof value !== 'object' || value === null) return value
  const isLink = (name: string) => 'cursors' in value && name !== 'cursors'
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (isLink(name) ? [] : [[name, withoutLinks(member)]])),
  )
}

/** Some of the items, at least one on each level: the choices say in turn which stay. */
const fewer = (items: readonly Item[], stays: () => boolean): readonly Item[] => {
  const left = items.filter((_, index) => stays() || index === 0)
  return left.map(item => ({ ...item, fields: item.fields && fewer(item.fields, stays) }))
}

/** The part of a whole answer that a smaller one has names for. */
const partOf = (whole: unknown, like: unknown): unknown => {
  if (Array.isArray(like)) return like.map((item, index) => partOf(memberOf(whole, `${index}`), item))
  if (typeof like !== 'object' || like === null) return whole
  return Object.fromEntries(
    Object.entries(like).map(([name, member]) => [name, partOf(memberOf(whole, name), member)]),
  )
}

describe('a projection', () => {
  it('of fewer fields answers the same for those fields', async () => {
    await fc.assert(
      fc.asyncProperty(
        inquiries({ policed: true }),
        fc.array(fc.boolean(), { minLength: 1 }),
        async ({ world, asked }, choices) => {
          const { graph, session } = await openWorld(world)
          for (const question of asked) {
            let turn = 0
            const fields = fewer(question.fields, () => choices[turn++ % choices.length] ?? true)
            const whole = await outcomeOf(() => ask(graph, session, question))
            if ('fault' in whole) continue
            const part = withoutLinks(await ask(graph, session, { ...question, fields }))
            expect(partOf(withoutLinks(whole.answer), part)).toEqual(part)
          }
        },
      ),
      settings(100),
    )
  })
})

/** The call that an item stands for, below a node that is there. */
const expandedBy = (item: Item, declared: Declared) => {
  const fields = item.fields === undefined ? undefined : printItems(item.fields)
  if (declared.kind === 'edge') {
    const { limit, order, summary, since, until } = item
    const asked = { limit, order: order === 'sideways' ? undefined : order, summary, since, until }
    return { kind: 'edge', asked: { edge: item.name, ...asked, fields } } as const
  }
  const isRef = declared.kind === 'field' && declared.field.kind === 'ref'
  return isRef ? ({ kind: 'ref', asked: { fields } } as const) : undefined
}

describe('an expansion equals the call that it stands for', () => {
  it('an edge: getEdge on the parent with the same modifiers, a ref: getNode of what it names', async () => {
    await fc.assert(
      fc.asyncProperty(inquiries({ policed: true }), async ({ world, asked }) => {
        const { graph, session } = await openWorld(world, { limits: { cost: 1_000_000_000 } })
        for (const { fields, version } of asked) {
          for (const { id, type, fields: stored } of world.nodes) {
            for (const item of fields) {
              const declared = declaredAs(world.schema, type, undefined, item.name)
              const expanded = declared && expandedBy(item, declared)
              if (expanded === undefined) continue
              const text = printItems([item])
              const outcome = await outcomeOf(() => graph.getNode(session, { id, fields: text, version }))
              const call = { ...expanded.asked, version }
              if (expanded.kind === 'edge') {
                const alone = await outcomeOf(() => graph.getEdge(session, { id, ...call, edge: item.name }))
                const expected = 'answer' in alone ? { answer: { [keyOf(item)]: alone.answer, id } } : alone
                expect(outcome).toEqual(expected)
                continue
              }
              const value = 'answer' in outcome ? memberOf(outcome.answer, keyOf(item)) : undefined
              if (value === undefined) continue
              // Of a ref names may be asked that only others of its types have.
              const target = `${stored[item.name] ?? ''}`
              const alone = await outcomeOf(() => graph.getNode(session, { id: target, ...call }))
              if ('answer' in alone) expect(value).toEqual(alone.answer)
            }
          }
        }
      }),
      settings(60),
    )
  })

  it('an edge with a cursor: getEdge with that cursor', async () => {
    await fc.assert(
      fc.asyncProperty(
        inquiries({ policed: true }),
        fc.constantFrom('after', 'before'),
        async ({ world, asked }, side) => {
          const { graph, session } = await openWorld(world)
          for (const { id, type } of world.nodes) {
            for (const edge of Object.keys(world.schema.types[type]?.edges ?? {})) {
              const [item = { name: edge }] = asked.flatMap(({ fields }) =>
                fields.filter(({ name }) => name === edge),
              )
              const { order, limit, since, until, summary } = item
              if (order === 'sideways') continue
              const first = await outcomeOf(() => graph.getEdge(session, { id, edge, limit: 2, order }))
              const cursor = memberOf(
                memberOf(memberOf(memberOf(first, 'answer'), 'paging'), 'cursors'),
                side,
              )
              if (typeof cursor !== 'string') continue
              const call = { id, edge, order, limit, since, until, summary, fields: 'id', [side]: cursor }
              const modifiers = [...argumentsOf(item), [side, cursor]].map(
                ([name, value]) => `.${name}(${value})`,
              )
              const fields = `${edge}${modifiers.join('')}{id}`
              expect(await graph.getNode(session, { id, fields })).toEqual({
                [edge]: await graph.getEdge(session, call),
                id,
              })
            }
          }
        },
      ),
      settings(60),
    )
  })

  it('several ids: a call for each of them', async () => {
    await fc.assert(
      fc.asyncProperty(inquiries({ policed: true }), async ({ world, asked }) => {
        const { graph, session } = await openWorld(world, { limits: { cost: 1_000_000_000 } })
        for (const question of asked) {
          if (question.method !== 'getNodes') continue
          const together = await outcomeOf(() => ask(graph, session, question))
          const { ids, fields, version, style } = question
          const each = await Promise.all(
            ids.map(async id => {
              const call = { method: 'getNode', id, type: undefined, fields, version, style } as const
              return [id, await outcomeOf(() => ask(graph, session, call))] as const
            }),
          )
          if ('answer' in together) {
            expect(each.map(([id, outcome]) => [id, outcome])).toEqual(
              ids.map(id => [id, { answer: memberOf(together.answer, id) }]),
            )
          } else {
            expect(each.map(([, outcome]) => outcome)).toContainEqual(together)
          }
        }
      }),
      settings(60),
    )
  })
})
