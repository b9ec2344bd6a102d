import {
  allOf,
  createGraph,
  defineSchema,
  edge,
  field,
  isGraphError,
  isViewer,
  node,
  not,
  parameter,
  type Rule,
} from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { collectSchemaErrors } from '../abuse/schema-errors.ts'

type Fields = Parameters<Rule['decide']>[0]['fields']

const fields = { title: field.string({ default: true }), draft: field.bool() }

/** Creates a graph with one note whose policy is one rule. */
const openNote = async (rule: Rule, checkReads = true) => {
  const schema = defineSchema({ note: node({ policy: [rule], fields }) })
  const graph = createGraph(createMemoryStore(), { schema, checkReads })
  await graph.write([
    { op: 'putNode', node: { id: '1', type: 'note', fields: { title: 'Plan', draft: true } } },
  ])
  const session = graph.session({ viewer: '1', app: 'demo' })
  return { read: () => graph.getNode(session, { id: '1', type: 'note' }) }
}

const createRule = (read: (fields: Fields) => unknown, reads: readonly string[] | undefined): Rule => ({
  name: 'reader',
  reads,
  decide: record => {
    read(record.fields)
    return 'allow'
  },
})

/** Returns the error of a call that fails. */
const catchError = async (call: () => unknown): Promise<unknown> => {
  try {
    await call()
  } catch (error) {
    return error
  }
  return undefined
}

describe('checkReads', () => {
  const undeclaredReads: readonly [string, (fields: Fields) => unknown][] = [
    ['a member', ({ draft }) => draft],
    ['the test of a member with in', fields => 'draft' in fields],
    ['the test of a member with hasOwn', fields => Object.hasOwn(fields, 'draft')],
    ['the descriptor of a member', fields => Object.getOwnPropertyDescriptor(fields, 'draft')],
    [
      'the call of hasOwnProperty',
      fields => Reflect.apply(Object.prototype.hasOwnProperty, fields, ['draft']),
    ],
  ]

  it.each(undeclaredReads)(
    'fails a call whose rule reads a field that it does not declare: %s',
    async (_, read) => {
      const { read: readNote } = await openNote(createRule(read, ['title']))
      const error = await catchError(readNote)
      expect(error).toEqual(
        new TypeError(
          'reader: "reads" must be an array with "draft", which the function reads of note; received ["title"]',
        ),
      )
      expect(isGraphError(error)).toBe(false)
    },
  )

  const listings: readonly [string, (fields: Fields) => unknown][] = [
    ['a spread', fields => ({ ...fields })],
    ['the keys', fields => Object.keys(fields)],
    ['the JSON text', fields => JSON.stringify(fields)],
  ]

  it.each(listings)(
    'fails a call whose rule lists the fields, although it declares some: %s',
    async (_, read) => {
      const { read: readNote } = await openNote(createRule(read, ['title', 'draft']))
      expect(await catchError(readNote)).toEqual(
        new TypeError(
          'reader: "reads" must be left out, since the function reads all fields of note; received ["title", "draft"]',
        ),
      )
    },
  )

  it('allows every read of a rule that declares the field, or that does not declare its reads', async () => {
    for (const [, read] of undeclaredReads) {
      expect(await (await openNote(createRule(read, ['draft']))).read()).toEqual({ title: 'Plan', id: '1' })
      expect(await (await openNote(createRule(read, undefined))).read()).toEqual({ title: 'Plan', id: '1' })
    }
  })

  it('fails a call whose rule catches the error', async () => {
    const rule = createRule(({ draft }) => draft, [])
    const decide: Rule['decide'] = (...args) => {
      try {
        return rule.decide(...args)
      } catch {
        return 'allow'
      }
    }
    const { read } = await openNote({ ...rule, decide })
    expect(await catchError(read)).toBeInstanceOf(TypeError)
  })

  it('checks each member of a composed rule by its own reads', async () => {
    const titled = createRule(({ title }) => title, ['title'])
    const drafted = createRule(({ draft }) => draft, ['draft'])
    const careless = createRule(({ draft }) => draft, ['title'])
    expect(await (await openNote(allOf(titled, drafted))).read()).toEqual({ title: 'Plan', id: '1' })
    for (const rule of [allOf(careless, drafted), not(allOf(careless, drafted))])
      expect(await catchError((await openNote(rule)).read)).toBeInstanceOf(TypeError)
  })

  it('is off by default, and a rule then receives the record of the store', async () => {
    const { read } = await openNote(
      createRule(({ draft }) => draft, []),
      false,
    )
    expect(await read()).toEqual({ title: 'Plan', id: '1' })
  })

  it('fails a call whose resolve or filter reads a field that it does not declare', async () => {
    const schema = defineSchema({
      note: node({
        fields: {
          ...fields,
          shout: field.string({
            reads: ['title'],
            resolve: records => records.map(({ fields }) => `${fields.title}${fields.draft}`),
          }),
        },
        edges: {
          found: edge('note', {
            reads: ['title'],
            resolve: sources => sources.map(({ fields }) => ({ entries: [], hasMore: fields.draft === 1 })),
          }),
          linked: edge('note', {
            parameters: { open: parameter.bool() },
            reads: ['title'],
            where: ({ target }) => target.fields.draft !== true,
          }),
        },
      }),
    })
    const graph = createGraph(createMemoryStore(), { schema, checkReads: true })
    await graph.write([
      { op: 'putNode', node: { id: '1', type: 'note', fields: { title: 'Plan' } } },
      { op: 'putEdge', edge: { source: '1', name: 'linked', target: '1', time: 0 } },
    ])
    const session = graph.session({ viewer: '1', app: 'demo' })
    const read = (text: string) => catchError(() => graph.getMe(session, { fields: text }))
    const messageOf = (location: string) =>
      `${location}: "reads" must be an array with "draft", which the function reads of note; received ["title"]`
    expect(await read('shout')).toEqual(new TypeError(messageOf('note.shout.resolve')))
    expect(await read('found')).toEqual(new TypeError(messageOf('note.found.resolve')))
    expect(await read('linked.open(true)')).toEqual(new TypeError(messageOf('note.linked.where')))
    expect(await graph.getMe(session)).toEqual({ title: 'Plan', id: '1' })
  })

  it('reports a call that fails as a call with an error', async () => {
    const reasons: unknown[] = []
    const schema = defineSchema({ note: node({ policy: [createRule(({ draft }) => draft, [])], fields }) })
    const graph = createGraph(createMemoryStore(), {
      schema,
      checkReads: true,
      onEvent: event => event.kind === 'query' && reasons.push(event.reason),
    })
    await graph.write([{ op: 'putNode', node: { id: '1', type: 'note', fields: {} } }])
    const session = graph.session({ viewer: '1', app: 'demo' })
    await catchError(() => graph.getNode(session, { id: '1' }))
    expect(reasons).toHaveLength(1)
    expect(reasons[0]).not.toBe(undefined)
  })
})

describe('the names in "reads"', () => {
  const rule: Rule = { name: 'isOpen', reads: ['state', 'titel'], decide: () => 'allow' }

  it('must be stored fields of every type that has the rule, and all errors are reported at once', () => {
    expect(
      collectSchemaErrors({
        note: node({ policy: [rule], fields: { ...fields, state: field.string() } }),
        page: node({
          fields: { title: field.string({ policy: [allOf(rule, isViewer({ of: 'owner' }))] }) },
          edges: { notes: edge('note', { policy: [rule] }) },
        }),
      }).filter(error => error.includes('"reads"')),
    ).toEqual([
      'note: isOpen: "reads" must be stored fields of the type; received "titel"; did you mean title?',
      'page.title: allOf(isOpen, isViewer(of owner)): "reads" must be stored fields of the type; received "state"',
      'page.title: allOf(isOpen, isViewer(of owner)): "reads" must be stored fields of the type; received "titel"; did you mean title?',
      'page.notes: isOpen: "reads" must be stored fields of the type; received "state"',
      'page.notes: isOpen: "reads" must be stored fields of the type; received "titel"; did you mean title?',
    ])
  })

  it('of a computed field or edge must be stored fields of its own type', () => {
    const computed = field.string({ reads: ['age_range'], resolve: records => records.map(() => 'x') })
    expect(
      collectSchemaErrors({
        person: node({
          fields: { birthday: field.birthday(), age_range: field.ageRange(), computed },
          edges: { found: edge('person', { reads: ['nam'], resolve: () => [] }) },
        }),
      }),
    ).toEqual([
      'person.computed: "reads" must be stored fields of the type; received "age_range"',
      'person.found: "reads" must be stored fields of the type; received "nam"',
    ])
  })

  it('are left out of a field without resolve', () => {
    expect(
      collectSchemaErrors({ note: node({ fields: { title: field.string({ reads: ['title'] }) } }) }),
    ).toEqual([
      'note.title: "reads" must be left out of a field without "resolve"; received an array of length 1',
    ])
  })
})
