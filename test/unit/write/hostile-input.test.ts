import { describe, expect, it } from 'vitest'
import { defineSchema } from '../../../src/schema/define-schema.ts'
import { field } from '../../../src/schema/field-builders.ts'
import { node } from '../../../src/schema/node.ts'
import { expectGraphError } from '../abuse/expect-graph-error.ts'
import { createWrittenGraph, putNode } from './written-graph.ts'

const parseHostileJson = (text: string): unknown => JSON.parse(text)

describe('a wrong argument of write', () => {
  it.each([
    [undefined, 'undefined'],
    [{ op: 'deleteNode', id: '1' }, 'an object with op, id'],
    ['[]', '"[]"'],
  ])('is a usage error if it is not an array of mutations: %j', async (mutations, received) => {
    const { write } = createWrittenGraph()
    // @ts-expect-error the types reject it
    await expect(write(mutations)).rejects.toThrow(
      new TypeError(`write: "mutations" must be an array of mutations; received ${received}`),
    )
  })

  it('is a usage error if it is an unknown option', async () => {
    const { write } = createWrittenGraph()
    // @ts-expect-error the types reject it
    await expect(write([], { atomic: true })).rejects.toThrow(TypeError)
  })
})

describe('a malformed mutation', () => {
  const anyObject = 'an object with "op"'
  const fields = 'an object that maps names of fields to values'
  const member = (...names: string[]) => `a member: ${names.join(', ')}`

  it.each([
    { bad: null, issue: { path: '', expected: anyObject, received: 'null' } },
    { bad: 'putNode', issue: { path: '', expected: anyObject, received: '"putNode"' } },
    { bad: [], issue: { path: '', expected: anyObject, received: 'an array of length 0' } },
    { bad: new Map([['op', 'putNode']]), issue: { path: '', expected: anyObject } },
    { bad: {}, issue: { path: 'op', expected: expect.stringContaining('putNode'), received: 'undefined' } },
    {
      bad: { op: 'putNod' },
      issue: { path: 'op', expected: 'an operation, such as putNode', received: '"putNod"' },
    },
    { bad: { op: 'putToken', digest: 'd', token: {} }, issue: { path: 'op', received: '"putToken"' } },
    { bad: { op: 'putNode' }, issue: { path: 'node', expected: 'an object with id, type, fields' } },
    { bad: { op: 'putEdge', edge: null }, issue: { path: 'edge', received: 'null' } },
    {
      bad: { op: 'deleteNode', id: '1', cascade: true },
      issue: { path: 'cascade', expected: member('op', 'id', 'when'), received: '"cascade"' },
    },
    {
      bad: { op: 'putNode', node: { id: '1', type: 'user', field: {} } },
      issue: { path: 'node.field', expected: 'a member, such as fields', received: '"field"' },
    },
    {
      bad: { op: 'deleteEdge', edge: { source: '1', name: 'friends', target: '2', time: 7 } },
      issue: { path: 'edge.time', expected: expect.stringContaining('a member') },
    },
    {
      bad: putNode('1', 'photo', null as never),
      issue: { path: 'node.fields', expected: fields, received: 'null' },
    },
    { bad: putNode('1', 'photo', [] as never), issue: { path: 'node.fields', expected: fields } },
    { bad: putNode('1', 'photo', new Date(0) as never), issue: { path: 'node.fields', expected: fields } },
    { bad: putNode('1', 'photo', new Map() as never), issue: { path: 'node.fields', expected: fields } },
  ])('is rejected as invalid_mutation: %j', async ({ bad, issue }) => {
    const { write } = createWrittenGraph()
    const error = await expectGraphError(write([bad as never]))
    expect(error.toJSON().error.error_data).toMatchObject({ reason: 'invalid_mutation', index: 0, ...issue })
  })

  it('is also reported for a missing element of a sparse array', async () => {
    const { write } = createWrittenGraph()
    const mutations: never[] = []
    mutations.length = 1
    expect((await expectGraphError(write(mutations))).data).toMatchObject({ index: 0, received: 'undefined' })
  })
})

describe('names that objects inherit, such as constructor', () => {
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('are not fields: %s', async name => {
    const { write } = createWrittenGraph()
    const mutation = parseHostileJson(
      `{"op":"putNode","node":{"id":"1","type":"photo","fields":{"${name}":"x"}}}`,
    )
    const error = await expectGraphError(write([mutation as never]))
    expect(error.data).toMatchObject({ path: `node.fields.${name}`, received: `"${name}"` })
  })

  it.each(['__proto__', 'constructor', 'toString'])('are not types, edges or operations: %s', async name => {
    const { write } = createWrittenGraph()
    await write([putNode('1', 'photo')])
    const edge = { source: '1', name, target: '1' }
    expect((await expectGraphError(write([putNode('2', name)]))).data).toMatchObject({ path: 'node.type' })
    expect((await expectGraphError(write([{ op: 'putEdge', edge }]))).data).toMatchObject({
      path: 'edge.name',
    })
    expect((await expectGraphError(write([{ op: name } as never]))).data).toMatchObject({ path: 'op' })
  })
})

describe('an invalid_mutation error', () => {
  it('has a limited size, whatever was received', async () => {
    const huge = 'x'.repeat(1_000_000)
    const { write } = createWrittenGraph()
    for (const bad of [
      putNode(huge, 'photo'),
      putNode('1', huge),
      putNode('1', 'photo', { [huge]: 1, width: huge }),
    ]) {
      expect(JSON.stringify(await expectGraphError(write([bad]))).length).toBeLessThan(1000)
    }
  })

  it('has a message of well-formed Unicode even if a lone surrogate was received', async () => {
    const { write } = createWrittenGraph()
    const { message } = await expectGraphError(write([putNode('1', 'photo', { '\ud800': 1 })]))
    expect(message.isWellFormed()).toBe(true)
  })
})

describe('a getter of a mutation', () => {
  it('is read once, so that the checked value is the written one', async () => {
    const { write, records } = createWrittenGraph()
    const reads: string[] = []
    const once = <T>(name: string, value: T): T => {
      reads.push(name)
      return value
    }
    await write([
      {
        get op() {
          return once('op', 'putNode' as const)
        },
        get node() {
          return once('node', {
            get id() {
              return once('id', '1')
            },
            get type() {
              return once('type', 'user')
            },
            get fields() {
              return once('fields', {
                get name() {
                  return once('name', 'Ada')
                },
              })
            },
          })
        },
      },
    ])
    expect(reads.toSorted()).toEqual(['fields', 'id', 'name', 'node', 'op', 'type'])
    expect(records()).toHaveLength(1)
  })
})

describe('the input of a write', () => {
  it('is copied, so that the caller may change it after the write', async () => {
    const { write, records } = createWrittenGraph()
    const images = [{ source: '/1.jpg', width: 1, height: 1 }]
    await write([putNode('1', 'photo', { images })])
    images.length = 0
    expect(records()).toMatchObject([{ node: { fields: { images: [{ source: '/1.jpg' }] } } }])
  })

  it('is rejected if it has a value for a computed field', async () => {
    const schema = defineSchema({
      shop: node({
        fields: { stars: field.int({ resolve: (records: readonly unknown[]) => records.map(() => 5) }) },
      }),
    })
    const { write } = createWrittenGraph(schema)
    const error = await expectGraphError(write([putNode('1', 'shop', { stars: 4 })]))
    expect(error.data).toMatchObject({
      path: 'node.fields.stars',
      expected: 'left out, since it is computed',
    })
  })
})

describe('the signal of a write', () => {
  it('prevents the write if it is already aborted', async () => {
    const { write, records } = createWrittenGraph()
    const error = await expectGraphError(write([putNode('1', 'photo')], { signal: AbortSignal.abort() }))
    expect(error.reason).toBe('aborted')
    expect(records()).toEqual([])
  })
})
