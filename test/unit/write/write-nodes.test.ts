import { describe, expect, it } from 'vitest'
import { expectGraphError } from '../abuse/expect-graph-error.ts'
import { createWrittenGraph, putNode } from './written-graph.ts'

const image = { source: 'https://example.com/1.jpg', width: 720, height: 480 }

describe('putNode', () => {
  it('stores each value in the form of its type', async () => {
    const { write, records } = createWrittenGraph()
    await write([
      putNode('1', 'user', {
        name: 'Ada',
        birthday: '1815-12-10',
        picture: { url: '/ada.jpg', width: 50, height: 50 },
        updated_time: '2012-10-01T00:00:00+0000',
      }),
      putNode('2', 'photo', { created_time: new Date(5000), from: '1', images: [image] }),
    ])
    expect(records()).toEqual([
      {
        node: {
          id: '1',
          type: 'user',
          fields: {
            name: 'Ada',
            birthday: { date: '1815-12-10', show: 'full' },
            picture: [{ url: '/ada.jpg', width: 50, height: 50 }],
            updated_time: Date.UTC(2012, 9, 1),
          },
        },
      },
      { node: { id: '2', type: 'photo', fields: { created_time: 5000, from: '1', images: [image] } } },
    ])
  })

  it('replaces the whole node', async () => {
    const { write, records } = createWrittenGraph()
    await write([
      putNode('1', 'user', { name: 'Ada', about: 'Numbers.' }),
      putNode('1', 'user', { name: 'Ada L.' }),
    ])
    expect(records()).toEqual([{ node: { id: '1', type: 'user', fields: { name: 'Ada L.' } } }])
  })

  it('treats undefined as a missing value', async () => {
    const { write, records } = createWrittenGraph()
    await write([putNode('1', 'user', { name: 'Ada', about: undefined, age_range: undefined })])
    expect(records()).toEqual([{ node: { id: '1', type: 'user', fields: { name: 'Ada' } } }])
  })
})

describe('patchNode', () => {
  it('changes the fields that it names, removes those that are null, and leaves the others', async () => {
    const { write, records } = createWrittenGraph()
    await write([putNode('1', 'user', { name: 'Ada', about: 'Numbers.', gender: 'female', locale: 'en_GB' })])
    await write([
      {
        op: 'patchNode',
        id: '1',
        fields: { name: 'Ada L.', about: null, gender: undefined, birthday: '1815-12-10' },
      },
    ])
    expect(records()).toEqual([
      {
        node: {
          id: '1',
          type: 'user',
          fields: {
            name: 'Ada L.',
            gender: 'female',
            locale: 'en_GB',
            birthday: { date: '1815-12-10', show: 'full' },
          },
        },
      },
    ])
  })

  it('accepts nodes of its own batch', async () => {
    const { write, records } = createWrittenGraph()
    await write([
      putNode('1', 'user', { name: 'Ada' }),
      { op: 'patchNode', id: '1', fields: { name: 'Ada L.' } },
    ])
    expect(records()).toEqual([{ node: { id: '1', type: 'user', fields: { name: 'Ada L.' } } }])
  })
})

describe('deleteNode', () => {
  it('allows a later putNode with the same id and another type', async () => {
    const { write, records } = createWrittenGraph()
    await write([putNode('1', 'user', { name: 'Ada' })])
    await write([{ op: 'deleteNode', id: '1' }, putNode('1', 'page', { name: 'Engines' })])
    expect(records()).toEqual([{ node: { id: '1', type: 'page', fields: { name: 'Engines' } } }])
  })

  it('does nothing if the node does not exist', async () => {
    const { write, records } = createWrittenGraph()
    await write([{ op: 'deleteNode', id: '404' }])
    expect(records()).toEqual([])
  })
})

describe('an invalid node', () => {
  const ada = putNode('1', 'user', { name: 'Ada' })
  const patch = (fields: { readonly [name: string]: unknown }, id = '1') =>
    ({ op: 'patchNode', id, fields }) as const

  it.each([
    {
      title: 'a value of another type, deep inside',
      bad: putNode('2', 'photo', { images: [image, image, { ...image, width: '720' }] }),
      issue: {
        path: 'node.fields.images[2].width',
        expected: 'an integer of at most 2^53 - 1',
        received: '"720"',
      },
    },
    {
      title: 'a misspelt field',
      bad: putNode('2', 'user', { nmae: 'Ada' }),
      issue: { path: 'node.fields.nmae', expected: 'a field of user, such as name', received: '"nmae"' },
    },
    {
      title: 'an unknown field unlike any other',
      bad: putNode('2', 'group', { colour_of_hair: 1 }),
      issue: {
        path: 'node.fields.colour_of_hair',
        expected: 'a field of group: name, description, link, picture, created_time, updated_time',
        received: '"colour_of_hair"',
      },
    },
    {
      title: 'a misspelt type',
      bad: putNode('2', 'usr'),
      issue: { path: 'node.type', expected: 'a type, such as user', received: '"usr"' },
    },
    {
      title: 'a type that is not a string',
      bad: { op: 'putNode', node: { id: '2', type: 7, fields: {} } },
      issue: { path: 'node.type', expected: 'the name of a type', received: '7' },
    },
    {
      title: 'a required field left out',
      bad: putNode('2', 'user', { about: 'Nobody.' }),
      issue: { path: 'node.fields.name', expected: 'a value, since it is required', received: 'undefined' },
    },
    {
      title: 'null for a value',
      bad: putNode('2', 'user', { name: 'Ada', about: null }),
      issue: { path: 'node.fields.about', expected: 'a value or left out', received: 'null' },
    },
    {
      title: 'an age range, which is computed',
      bad: putNode('2', 'user', { name: 'Ada', age_range: { min: 21 } }),
      issue: {
        path: 'node.fields.age_range',
        expected: 'left out, since it is computed',
        received: 'an object with min',
      },
    },
    {
      title: 'a value for a viewerEdge field',
      bad: putNode('2', 'photo', { viewer_likes: true }),
      issue: {
        path: 'node.fields.viewer_likes',
        expected: 'left out, since it depends on the viewer',
        received: 'true',
      },
    },
    {
      title: 'a ref that is not an id',
      bad: putNode('2', 'photo', { from: 'ada' }),
      issue: {
        path: 'node.fields.from',
        expected: 'the id of a node of type user or page',
        received: '"ada"',
      },
    },
    {
      title: 'an id as a number',
      bad: { op: 'putNode', node: { id: 2, type: 'photo', fields: {} } },
      issue: {
        path: 'node.id',
        expected: 'a node id: a string of digits, "1" to "9223372036854775807"',
        received: '2',
      },
    },
    {
      title: 'another type than the node has',
      bad: putNode('1', 'page', { name: 'Engines' }),
      issue: { path: 'node.type', expected: '"user", the type of the stored node 1', received: '"page"' },
    },
    {
      title: 'a patch of a missing node',
      bad: patch({ about: '' }, '404'),
      issue: { path: 'id', expected: 'the id of an existing node', received: '"404"' },
    },
    {
      title: 'a patch that removes a required field',
      bad: patch({ name: null }),
      issue: { path: 'fields.name', expected: 'a value, since it is required', received: 'null' },
    },
    {
      title: 'a patch that removes a computed field',
      bad: patch({ age_range: null }),
      issue: { path: 'fields.age_range', expected: 'left out, since it is computed', received: 'null' },
    },
    {
      title: 'a patch with an unknown field',
      bad: patch({ fist_name: 'Ada' }),
      issue: {
        path: 'fields.fist_name',
        expected: 'a field of user, such as first_name or last_name',
        received: '"fist_name"',
      },
    },
    {
      title: 'text with a lone surrogate',
      bad: putNode('2', 'user', { name: 'half \ud83d' }),
      issue: { path: 'node.fields.name', expected: 'a well-formed string', received: '"half \ufffd"' },
    },
  ])('is rejected with its path: $title', async ({ bad, issue }) => {
    const { write, records } = createWrittenGraph()
    await write([ada])
    const batch: readonly unknown[] = [putNode('3', 'user', { name: 'Grace' }), bad]
    // @ts-expect-error the types of mutations reject it, but plain JavaScript can send it
    const error = await expectGraphError(write(batch))
    expect(error.toJSON().error.error_data).toEqual({ reason: 'invalid_mutation', index: 1, ...issue })
    expect(error.message).toBe(
      `(#100) Mutation 1: "${issue.path}" must be ${issue.expected}; received ${issue.received}`,
    )
    expect(records()).toEqual([{ node: { id: '1', type: 'user', fields: { name: 'Ada' } } }])
  })
})
