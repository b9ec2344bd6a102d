import { describe, expect, it } from 'vitest'
import {
  actionsAt,
  createActionRequest,
  createKey,
  isDestructive,
} from '../../../src/explorer/page/action/action-call.ts'
import { parsePath } from '../../../src/explorer/page/target/target.ts'
import { clubSchemaView, createCall, findAction } from './action-world.ts'

const namesAt = (path: string, types: readonly string[]): readonly string[] =>
  actionsAt(clubSchemaView, types, parsePath(path)).map(({ action }) => action.name)

describe('the actions of a path in the Explorer', () => {
  it('are all actions of a node and its edges, or those of the edge of the path', () => {
    expect(namesAt('7', ['club'])).toEqual([
      'update',
      'delete',
      'members.add',
      'members.remove',
      'posts.add',
      'close',
    ])
    expect(namesAt('7/members?limit=2', ['club'])).toEqual(['members.add', 'members.remove'])
    expect(namesAt('7/rooms', ['club'])).toEqual([])
    expect(namesAt('root', ['root'])).toEqual(['people.add'])
    expect(namesAt('me', ['person'])).toEqual([])
  })

  it('are none for several nodes, and for a node whose type is not known', () => {
    expect(namesAt('?ids=7,8', ['club'])).toEqual([])
    expect(namesAt('7', [])).toEqual([])
    expect(namesAt('7', ['club', 'person'])).toEqual([])
  })
})

describe('the request of an action in the Explorer', () => {
  it('has the method and the path of the action', () => {
    const lineOf = (name: string): string => {
      const { method, path } = createActionRequest(createCall(name))
      return `${method} ${path}`
    }
    expect(lineOf('update')).toBe('POST /v1.0/7')
    expect(lineOf('delete')).toBe('DELETE /v1.0/7')
    expect(lineOf('members.add')).toBe('POST /v1.0/7/members')
    expect(lineOf('members.remove')).toBe('DELETE /v1.0/7/members')
    expect(lineOf('close')).toBe('POST /v1.0/7/close')
    expect(lineOf('people.add')).toBe('POST /v1.0/root/people')
  })

  it('has the parameters as JSON, the key as a header, and the fields in the query', () => {
    const values = { target: '9', role: 'chair' }
    expect(
      createActionRequest(createCall('members.add', { values, key: 'k-1', fields: 'id,\n name{a}' })),
    ).toEqual({
      method: 'POST',
      path: '/v1.0/7/members?fields=id,name%7Ba%7D',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'k-1' },
      body: '{"target":"9","role":"chair"}',
    })
    expect(createActionRequest(createCall('close'))).toEqual({
      method: 'POST',
      path: '/v1.0/7/close',
      headers: {},
      body: undefined,
    })
  })

  it('has the target of a removed edge in its path, and the other parameters in its body', () => {
    const requestOf = (values: { readonly [name: string]: string }) => {
      const { path, body } = createActionRequest(createCall('members.remove', { values }))
      return [path, body]
    }
    expect(requestOf({ target: '9' })).toEqual(['/v1.0/7/members/9', undefined])
    expect(requestOf({ target: 'me', reason: 'moved' })).toEqual(['/v1.0/7/members/me', '{"reason":"moved"}'])
  })

  it.each(['..', '.', '', 'a/b', '%2e%2e', '9/../..'])(
    'never has a target in its path that would lead to another node: %j',
    target => {
      const { path, body } = createActionRequest(createCall('members.remove', { values: { target } }))
      expect(new URL(path, 'http://graph.test').pathname).toBe('/v1.0/7/members')
      expect(body).toBe(JSON.stringify({ target }))
    },
  )
})

describe('the actions that the Explorer asks about', () => {
  it('are delete and the actions that remove an edge', () => {
    const names = actionsAt(clubSchemaView, ['club'], parsePath('7'))
      .filter(({ action }) => isDestructive(action))
      .map(({ action }) => action.name)
    expect(names).toEqual(['delete', 'members.remove'])
    expect(isDestructive(findAction('people.add').action)).toBe(false)
  })
})

describe('the key of a call in the Explorer', () => {
  it('is 32 hexadecimal digits, and is never the same', () => {
    const keys = new Set(Array.from({ length: 100 }, createKey))
    expect(keys.size).toBe(100)
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/)
  })
})
