import { createGraph } from 'kithgraph'
import { update } from 'kithgraph/update'
import { describe, expect, it } from 'vitest'
import type { Awaitable } from '../../../src/base/awaitable.ts'
import type { Store } from '../../../src/store/contract.ts'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'
import { createUpdatedGraph, schema } from './updated-graph.ts'

const ADA = { type: 'person', id: '1' } as const

const NETWORK_MS = 2

const wait = () => new Promise(resolve => setTimeout(resolve, NETWORK_MS))

/** Returns the methods of a store with the delays of a network before and after each call. */
const createDelays = ({ read, write }: Store): Pick<Store, 'read' | 'write'> => {
  const delay =
    <TArguments extends readonly unknown[], T>(call: (...given: TArguments) => Awaitable<T>) =>
    async (...given: TArguments): Promise<T> => {
      await wait()
      const result = await call(...given)
      await wait()
      return result
    }
  return { read: delay(read), write: delay(write) }
}

/** Creates a graph with the person 1. */
const createAda = (fields = {}) => {
  const world = createUpdatedGraph()
  world.putPerson('1', { name: 'ada', ...fields })
  return world
}

describe('update', () => {
  it('writes only the fields that the recipe changed, and removes those that it deleted', async () => {
    const { graph, written, fieldsOf } = createAda({ about: 'x', visits: 3, tags: ['a'] })
    const result = await update(graph, ADA, draft => {
      draft.name = 'Ada'
      draft.tags?.push('b')
      delete draft.about
    })
    expect(result).toEqual({ revision: undefined })
    expect(fieldsOf('1')).toEqual({ name: 'Ada', visits: 3, tags: ['a', 'b'] })
    expect(written).toMatchObject([
      { op: 'patchNode', id: '1', fields: { name: 'Ada', tags: ['a', 'b'], about: null } },
    ])
  })

  it('writes on condition that all declared fields are as they were read, and absent ones absent', async () => {
    const { graph, written } = createAda({ visits: 3, nickname: 'x' })
    await update(graph, ADA, draft => {
      draft.name = 'Ada'
    })
    const absent =
      'about tags number open rating link seen joined born picture level scores home savings friend'
    const fields = {
      name: 'ada',
      visits: 3,
      ...Object.fromEntries(absent.split(' ').map(name => [name, null])),
    }
    expect(written).toEqual([{ op: 'patchNode', id: '1', fields: { name: 'Ada' }, when: { fields } }])
  })

  it('applies two recipes that run at the same time one after the other', async () => {
    const { graph, fieldsOf } = createAda({ tags: [] })
    const addTag = (tag: string) => update(graph, ADA, draft => void draft.tags?.push(tag))
    await Promise.all([addTag('a'), addTag('b')])
    expect([...Object(fieldsOf('1')).tags].sort()).toEqual(['a', 'b'])
  })

  it('throws conflict after five attempts, and shows nobody what it found', async () => {
    const { graph, interference, put, fieldsOf, written } = createAda()
    let runs = 0
    interference.afterRead = () => put({ op: 'patchNode', id: '1', fields: { about: `secret ${runs}` } })
    const error = await expectGraphError(
      update(graph, ADA, draft => {
        runs += 1
        draft.name = 'Ada'
      }),
    )
    expect([error.reason, error.data, runs, written.length]).toEqual([
      'conflict',
      { index: 0, path: 'when.fields.about' },
      5,
      5,
    ])
    expect(error.message).toBe('(#100) Other writers still changed "about" after 5 attempts')
    expect(error.cause).toEqual({ found: 'secret 4' })
    expect(JSON.stringify([error.toJSON(), error.message])).not.toContain('secret')
    expect(fieldsOf('1')).toMatchObject({ name: 'ada' })
  })

  it('succeeds if the fifth attempt succeeds', async () => {
    const { graph, interference, put, fieldsOf } = createAda({ visits: 7 })
    let reads = 0
    interference.afterRead = () => {
      reads += 1
      if (reads < 5) put({ op: 'patchNode', id: '1', fields: { visits: reads } })
    }
    await update(graph, ADA, draft => {
      draft.visits = (draft.visits ?? 0) * 10
    })
    expect(fieldsOf('1')).toEqual({ name: 'ada', visits: 40 })
  })

  it('writes nothing if the recipe changes nothing, or writes the same values again', async () => {
    const { graph, written } = createAda({ tags: ['a'], seen: 86_400_000, home: { street: 'x' } })
    await update(graph, ADA, () => undefined)
    await update(graph, ADA, draft => {
      draft.tags = ['a']
      draft.seen = new Date('1970-01-02')
      draft.home = { street: 'x', floors: undefined }
      draft.about = undefined
    })
    expect(written).toEqual([])
  })

  it('ignores the result of a recipe that changes its draft, or returns a part of it or another value', async () => {
    const { graph, fieldsOf } = createAda({ tags: [], home: { street: 'x' } })
    await update(graph, ADA, draft => draft.tags?.push('a'))
    await update(graph, ADA, draft => {
      draft.about = 'x'
      return { name: 'other' }
    })
    const recipes: readonly Parameters<typeof update<typeof schema, 'person'>>[2][] = [
      draft => draft,
      draft => draft.home,
      draft => (draft.home = { street: 'x' }),
      draft => draft.tags?.splice(5, 1),
      draft => (draft.seen = undefined),
      () => new Date(0),
    ]
    for (const recipe of recipes) await update(graph, ADA, recipe)
    expect(fieldsOf('1')).toEqual({ name: 'ada', tags: ['a'], home: { street: 'x' }, about: 'x' })
  })

  it('changes values inside arrays and objects', async () => {
    const { graph, fieldsOf } = createAda({
      home: { street: 'x', floors: [{ doors: 1 }, { doors: 2, open: true }] },
      scores: JSON.parse('{ "a": 1, "__proto__": 5 }'),
    })
    await update(graph, ADA, ({ home, scores = {} }) => {
      const floor = home?.floors?.[1]
      if (floor !== undefined) delete floor.open
      home?.floors?.push({ doors: 3 })
      scores.b = 2
    })
    expect(fieldsOf('1')).toEqual({
      name: 'ada',
      home: { street: 'x', floors: [{ doors: 1 }, { doors: 2 }, { doors: 3 }] },
      scores: JSON.parse('{ "a": 1, "__proto__": 5, "b": 2 }'),
    })
  })

  it('leaves stored fields that the schema does not declare untouched, and hides them from the recipe', async () => {
    const { graph, fieldsOf } = createAda({ nickname: 'x', old: null })
    let names: readonly string[] = []
    await update(graph, ADA, draft => {
      names = Object.keys(draft)
      draft.about = 'y'
    })
    expect(names).toEqual(['name'])
    expect(fieldsOf('1')).toEqual({ name: 'ada', nickname: 'x', old: null, about: 'y' })
  })

  it('compares only the fields that the option names', async () => {
    const { graph, interference, put, fieldsOf, written } = createAda({ visits: 1 })
    interference.afterRead = () => put({ op: 'patchNode', id: '1', fields: { about: 'changed' } })
    await update(graph, { ...ADA, fields: ['visits', 'rating'] }, draft => {
      draft.name = 'Ada'
    })
    expect(fieldsOf('1')).toEqual({ name: 'Ada', visits: 1, about: 'changed' })
    expect(written).toMatchObject([{ when: { fields: { visits: 1, rating: null, name: 'ada' } } }])
    interference.afterRead = () => put({ op: 'deleteNode', id: '1' })
    const recipe = (draft: { about?: string | undefined }) => void delete draft.about
    const error = await expectGraphError(update(graph, { ...ADA, fields: [] }, recipe))
    expect([error.reason, error.data.path]).toEqual(['invalid_mutation', 'id'])
  })

  it('never overwrites a change of another writer to a field that the recipe changes', async () => {
    const { graph, interference, put, fieldsOf } = createAda({ visits: 1, about: 'a' })
    let reads = 0
    interference.afterRead = () => {
      reads += 1
      if (reads === 1) put({ op: 'patchNode', id: '1', fields: { about: 'other' } })
    }
    await update(graph, { ...ADA, fields: ['visits'] }, draft => {
      draft.about = `${draft.about} ${draft.visits}`
    })
    expect(fieldsOf('1')).toMatchObject({ about: 'other 1' })
  })

  it('does not change or freeze objects of the caller', async () => {
    const { graph, fieldsOf } = createAda()
    const tags = ['a']
    await update(graph, ADA, draft => {
      draft.tags = tags
    })
    tags.push('b')
    expect(fieldsOf('1')).toEqual({ name: 'ada', tags: ['a'] })
  })

  it('sends each attempt with an id of its own, so that the store can send it again', async () => {
    const { graph, interference, put, batches } = createAda()
    let reads = 0
    interference.afterRead = () => {
      reads += 1
      if (reads === 1) put({ op: 'patchNode', id: '1', fields: { about: 'other' } })
    }
    await update(graph, ADA, draft => {
      draft.visits = 1
    })
    const ids = batches.map(batch => batch?.id ?? '')
    expect([ids.length, new Set(ids).size, ids.includes('')]).toEqual([2, 2, false])
  })

  it('succeeds for most of ten writers who change one node at once over a network', async () => {
    const { store } = createUpdatedGraph()
    const graph = createGraph({ ...store, ...createDelays(store) }, { schema })
    const ids = ['1', '2', '3']
    await graph.write(
      ids.map(id => ({ op: 'putNode', node: { id, type: 'person', fields: { name: 'Ada' } } })),
    )
    const results = await Promise.allSettled(
      ids.flatMap(id =>
        Array.from({ length: 10 }, () =>
          update(graph, { type: 'person', id }, draft => {
            draft.visits = (draft.visits ?? 0) + 1
          }),
        ),
      ),
    )
    // The waits are random, and a busy machine makes them longer. Without them, half of the writers fail.
    expect(results.filter(({ status }) => status === 'rejected').length).toBeLessThan(results.length * 0.4)
  })

  it('needs one read and one write', async () => {
    const { graph, interference, written } = createAda()
    let reads = 0
    interference.afterRead = () => {
      reads += 1
    }
    await update(graph, ADA, draft => {
      draft.about = 'x'
    })
    expect([reads, written.length]).toEqual([1, 1])
  })
})

describe('update of a value that is not in the form of its type', () => {
  const BAD = { level: 'medium', visits: '7', born: '1990', about: null }

  it('hides it if its type rejects it, otherwise shows it as a write accepts it', async () => {
    const { graph } = createAda(BAD)
    let seen: unknown
    await update(graph, ADA, draft => {
      seen = JSON.parse(JSON.stringify(draft))
    })
    expect(seen).toEqual({ name: 'ada', born: { date: '1990-01-01', show: 'year' } })
  })

  it('leaves it untouched, and compares it as it is stored', async () => {
    const { graph, fieldsOf, written } = createAda(BAD)
    await update(graph, ADA, draft => {
      draft.name = 'Ada'
    })
    expect(fieldsOf('1')).toEqual({ ...BAD, name: 'Ada' })
    expect(written).toMatchObject([{ when: { fields: { ...BAD, name: 'ada' } } }])
  })

  it('can replace it', async () => {
    const { graph, fieldsOf } = createAda(BAD)
    await update(graph, ADA, draft => {
      draft.level = 'low'
    })
    expect(fieldsOf('1')).toMatchObject({ level: 'low', visits: '7' })
  })
})

describe('update rejects', () => {
  const rename = (draft: { name: string }) => {
    draft.name = 'Ada'
  }

  it.each([
    ['a missing node', '2'],
    ['a node of another type', '3'],
    ['an invalid id', 'x'],
  ])('%s with invalid_mutation', async (_, id) => {
    const { graph, put, written } = createAda()
    put({ op: 'putNode', node: { id: '3', type: 'team', fields: {} } })
    const error = await expectGraphError(update(graph, { ...ADA, id }, rename))
    expect(error.reason).toBe('invalid_mutation')
    expect(error.data).toMatchObject({
      index: 0,
      path: 'id',
      expected: 'the id of an existing node of type person',
      received: `"${id}"`,
    })
    expect(written).toEqual([])
  })

  it.each([
    [
      'the removal of a required field',
      (draft: object) => Reflect.deleteProperty(draft, 'name'),
      'fields.name',
    ],
    ['null for a required field', (draft: object) => Reflect.set(draft, 'name', null), 'fields.name'],
    ['an invalid value', (draft: object) => Reflect.set(draft, 'tags', ['a', 5]), 'fields.tags[1]'],
    ['an unknown field', (draft: object) => Reflect.set(draft, 'nmae', 'x'), 'fields.nmae'],
    ['a computed field', (draft: object) => Reflect.set(draft, 'shout', 'x'), 'fields.shout'],
    [
      'the name of a member of every object',
      (draft: object) => Reflect.set(draft, 'constructor', 1),
      'fields.constructor',
    ],
  ])('%s with invalid_mutation', async (_, recipe, path) => {
    const { graph, written } = createAda({ tags: ['a'] })
    const error = await expectGraphError(update(graph, ADA, recipe))
    expect([error.reason, error.data.index, error.data.path]).toEqual(['invalid_mutation', 0, path])
    expect(written).toEqual([])
  })

  it('a recipe that returns a promise, without an unhandled rejection', async () => {
    const { graph, written } = createAda()
    const recipe = async (draft: { name: string }) => {
      await Promise.resolve()
      draft.name = 'Ada'
    }
    await expect(callUntyped(update, graph, ADA, recipe)).rejects.toThrow(
      new TypeError(
        'update: "recipe" must be a synchronous function; received a function that returns a promise',
      ),
    )
    expect(written).toEqual([])
  })

  it.each([
    function* (draft: { name: string }) {
      draft.name = 'Ada'
      yield
    },
    async function* (draft: { name: string }) {
      draft.name = 'Ada'
      yield
    },
  ])('a generator with a TypeError: %s', async recipe => {
    const { graph } = createAda()
    await expect(callUntyped(update, graph, ADA, recipe)).rejects.toThrow(
      new TypeError('update: "recipe" must be a synchronous function; received a generator function'),
    )
  })

  it('a recipe that returns a new object instead of changing its draft with a TypeError', async () => {
    const { graph } = createAda()
    await expect(update(graph, ADA, draft => ({ ...draft, name: 'Ada' }))).rejects.toThrow(
      new TypeError(
        'update: "recipe" must be a function that changes its draft; received a function that returns a new object and changes nothing',
      ),
    )
  })

  it.each([
    [
      { type: 'persn', id: '1' },
      rename,
      'update: "type" must be one of "person", "team"; received "persn"; did you mean person?',
    ],
    [{ type: 'person' }, rename, 'update: "id" must be a string; received undefined'],
    [{ ...ADA, id: 1 }, rename, 'update: "id" must be a string; received 1'],
    [
      { ...ADA, feilds: [] },
      rename,
      'update: options must be one of "type", "id", "fields", "signal", "session"; received "feilds"; did you mean fields?',
    ],
    [{ ...ADA, fields: 'name' }, rename, 'update: "fields" must be an array of strings; received "name"'],
    [undefined, rename, 'update: "options" must be an object; received undefined'],
    [ADA, undefined, 'update: "recipe" must be a function; received undefined'],
  ])('invalid arguments with a TypeError: %o', async (options, recipe, message) => {
    const { graph } = createAda()
    await expect(callUntyped(update, graph, options, recipe)).rejects.toThrow(new TypeError(message))
  })

  it('the name of a computed field in the option fields with a TypeError', async () => {
    const { graph } = createAda()
    await expect(callUntyped(update, graph, { ...ADA, fields: ['name', 'shout'] }, rename)).rejects.toThrow(
      /^update: "fields" must be an array with only name, about, .*, friend; received "shout"$/,
    )
  })

  it('a value that is not a graph, and a closed graph, with a TypeError', async () => {
    const { graph } = createAda()
    await expect(callUntyped(update, {}, ADA, rename)).rejects.toThrow(
      'update: "graph" must be a graph that createGraph() returns; received an empty object',
    )
    await graph.close()
    await expect(update(graph, ADA, rename)).rejects.toThrow(TypeError)
  })

  it('a store without conditional writes with a TypeError, before it reads', async () => {
    const { store, interference } = createAda()
    interference.afterRead = () => expect.unreachable()
    const capabilities = { ...store.capabilities, conditionalWrites: false }
    const graph = createGraph({ ...store, capabilities }, { schema })
    await expect(update(graph, ADA, rename)).rejects.toThrow(
      'update: the store must be one with conditional writes',
    )
  })

  it('nothing that the recipe itself throws', async () => {
    const { graph } = createAda()
    const error = new Error('mine')
    const recipe = () => {
      throw error
    }
    await expect(update(graph, ADA, recipe)).rejects.toBe(error)
  })

  it('an aborted signal with aborted', async () => {
    const { graph, written } = createAda()
    const error = await expectGraphError(update(graph, { ...ADA, signal: AbortSignal.abort() }, rename))
    expect([error.reason, written]).toEqual(['aborted', []])
  })
})
