import { describe, expect, it } from 'vitest'
import { faultOf } from '../abuse/fault-of.ts'
import { createWrittenGraph, put } from './written-graph.ts'

const image = { source: 'https://example.com/1.jpg', width: 720, height: 480 }

describe('putNode', () => {
  it('stores each value in the form of its type', async () => {
    const { write, records } = createWrittenGraph()
    await write([
      put('1', 'user', {
        name: 'Ada',
        birthday: '1815-12-10',
        picture: { url: '/ada.jpg', width: 50, height: 50 },
        updated_time: '2012-10-01T00:00:00+0000',
      }),
      put('2', 'photo', { created_time: new Date(5000), from: '1', images: [image] }),
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
    await write([put('1', 'user', { name: 'Ada', about: 'Numbers.' }), put('1', 'user', { name: 'Ada L.' })])
    expect(records()).toEqual([{ node: { id: '1', type: 'user', fields: { name: 'Ada L.' } } }])
  })

  it('takes undefined for a value that is not given', async () => {
    const { write, records } = createWrittenGraph()
    await write([put('1', 'user', { name: 'Ada', about: undefined, age_range: undefined })])
    expect(records()).toEqual([{ node: { id: '1', type: 'user', fields: { name: 'Ada' } } }])
  })
})

describe('patchNode', () => {
  it('changes the fields that it names, removes those that are null, and leaves the others', async () => {
    const { write, records } = createWrittenGraph()
    await write([put('1', 'user', { name: 'Ada', about: 'Numbers.', gender: 'female', locale: 'en_GB' })])
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

  it('knows the nodes of its own batch', async () => {
    const { write, records } = createWrittenGraph()
    await write([put('1', 'user', { name: 'Ada' }), { op: 'patchNode', id: '1', fields: { name: 'Ada L.' } }])
    expect(records()).toEqual([{ node: { id: '1', type: 'user', fields: { name: 'Ada L.' } } }])
  })
})

describe('deleteNode', () => {
  it('lets an id come back as another type', async () => {
    const { write, records } = createWrittenGraph()
    await write([put('1', 'user', { name: 'Ada' })])
    await write([{ op: 'deleteNode', id: '1' }, put('1', 'page', { name: 'Engines' })])
    expect(records()).toEqual([{ node: { id: '1', type: 'page', fields: { name: 'Engines' } } }])
  })

  it('does nothing to a node that is not there', async () => {
    const { write, records } = createWrittenGraph()
    await write([{ op: 'deleteNode', id: '404' }])
    expect(records()).toEqual([])
  })
})

describe('a node that does not fit', () => {
  const ada = put('1', 'user', { name: 'Ada' })
  const patch = (fields: { readonly [name: string]: unknown }, id = '1') =>
    ({ op: 'patchNode', id, fields }) as const

  it.each([
    {
      title: 'a value of another type, deep inside',
      bad: put('2', 'photo', { images: [image, image, { ...image, width: '720' }] }),
      fault: {
        path: 'node.fields.images[2].width',
        expected: 'an integer of at most 2^53 - 1',
        came: '"720"',
      },
    },
    {
      title: 'a misspelt field',
      bad: put('2', 'user', { nmae: 'Ada' }),
      fault: { path: 'node.fields.nmae', expected: 'a field of user such as name', came: '"nmae"' },
    },
    {
      title: 'a field that nothing resembles',
      bad: put('2', 'group', { colour_of_hair: 1 }),
      fault: {
        path: 'node.fields.colour_of_hair',
        expected: 'a field of group: name, description, link, picture, created_time, updated_time',
        came: '"colour_of_hair"',
      },
    },
    {
      title: 'a misspelt type',
      bad: put('2', 'usr'),
      fault: { path: 'node.type', expected: 'a type such as user', came: '"usr"' },
    },
    {
      title: 'a type that is no text',
      bad: { op: 'putNode', node: { id: '2', type: 7, fields: {} } },
      fault: { path: 'node.type', expected: 'the name of a type', came: '7' },
    },
    {
      title: 'a required field left out',
      bad: put('2', 'user', { about: 'Nobody.' }),
      fault: { path: 'node.fields.name', expected: 'a value, since it is required', came: 'undefined' },
    },
    {
      title: 'null for a value',
      bad: put('2', 'user', { name: 'Ada', about: null }),
      fault: { path: 'node.fields.about', expected: 'a value, or left out', came: 'null' },
    },
    {
      title: 'an age segment, which is computed',
      bad: put('2', 'user', { name: 'Ada', age_range: { min: 21 } }),
      fault: {
        path: 'node.fields.age_range',
        expected: 'left out, since it is computed',
        came: 'an object with min',
      },
    },
    {
      title: 'what the viewer does, which depends on the viewer',
      bad: put('2', 'photo', { viewer_likes: true }),
      fault: {
        path: 'node.fields.viewer_likes',
        expected: 'left out, since it depends on who looks',
        came: 'true',
      },
    },
    {
      title: 'a ref that is no id',
      bad: put('2', 'photo', { from: 'ada' }),
      fault: { path: 'node.fields.from', expected: 'the id of a user or page', came: '"ada"' },
    },
    {
      title: 'an id as a number',
      bad: { op: 'putNode', node: { id: 2, type: 'photo', fields: {} } },
      fault: {
        path: 'node.id',
        expected: 'a node id: text of digits, "1" to "9223372036854775807"',
        came: '2',
      },
    },
    {
      title: 'another type than the node has',
      bad: put('1', 'page', { name: 'Engines' }),
      fault: { path: 'node.type', expected: 'user, which node 1 has been', came: '"page"' },
    },
    {
      title: 'a patch of a node that is not there',
      bad: patch({ about: '' }, '404'),
      fault: { path: 'id', expected: 'the id of a node that exists', came: '"404"' },
    },
    {
      title: 'a patch that removes a required field',
      bad: patch({ name: null }),
      fault: { path: 'fields.name', expected: 'a value, since it is required', came: 'null' },
    },
    {
      title: 'a patch that removes what is computed',
      bad: patch({ age_range: null }),
      fault: { path: 'fields.age_range', expected: 'left out, since it is computed', came: 'null' },
    },
    {
      title: 'a patch with an unknown field',
      bad: patch({ fist_name: 'Ada' }),
      fault: {
        path: 'fields.fist_name',
        expected: 'a field of user such as first_name or last_name',
        came: '"fist_name"',
      },
    },
    {
      title: 'text that no encoding can carry',
      bad: put('2', 'user', { name: 'half \ud83d' }),
      fault: { path: 'node.fields.name', expected: 'well-formed text', came: '"half \ufffd"' },
    },
  ])('is refused with its place: $title', async ({ bad, fault }) => {
    const { write, records } = createWrittenGraph()
    await write([ada])
    const batch: readonly unknown[] = [put('3', 'user', { name: 'Grace' }), bad]
    // @ts-expect-error what the types of mutations rule out comes from plain JavaScript all the same
    const error = await faultOf(write(batch))
    expect(error.data).toEqual({ reason: 'invalid_mutation', index: 1, ...fault })
    expect(error.message).toBe(
      `(#100) Mutation 1: ${fault.path} must be ${fault.expected}, came ${fault.came}`,
    )
    expect(records()).toEqual([{ node: { id: '1', type: 'user', fields: { name: 'Ada' } } }])
  })
})
