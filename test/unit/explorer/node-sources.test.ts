import { describe, expect, it } from 'vitest'
import {
  nodeSourcesOf,
  parseNodeChoices,
  printSourcePath,
} from '../../../src/explorer/page/action/node-sources.ts'
import { clubSchemaView, findAction } from './action-world.ts'

const pathsFor = (name: string, ...types: string[]): readonly string[] =>
  nodeSourcesOf(clubSchemaView, findAction(name), types).map(({ path }) => path)

describe('the lists from which a node is picked in the Explorer', () => {
  it('are the collections, and the edges of the source and of the viewer, with nodes of the types', () => {
    expect(pathsFor('members.add', 'person')).toEqual(['root/people', '7/members', 'me/friends'])
    expect(pathsFor('members.add', 'club', 'room')).toEqual(['7/rooms', 'me/clubs'])
    expect(pathsFor('members.add', 'event')).toEqual([])
  })

  it('begin with the edge from which the action removes', () => {
    expect(pathsFor('members.remove', 'person')).toEqual(['7/members', 'root/people', 'me/friends'])
  })

  it('are read with the fields that identify their nodes', () => {
    const pathsOf = (type: string): readonly string[] =>
      nodeSourcesOf(clubSchemaView, findAction('members.add'), [type]).map(source =>
        printSourcePath(clubSchemaView, source),
      )
    expect(pathsOf('person')[0]).toBe('/v1.0/root/people?limit=25&fields=id%2Cname')
    expect(pathsOf('room')).toEqual(['/v1.0/7/rooms?limit=25&fields=id'])
  })
})

describe('the nodes of a list to pick from', () => {
  const graphUrl = 'https://api.example/graph'

  it('are its nodes with their labels, and the pages around them', () => {
    const body = {
      data: [{ id: '1', name: 'Ada' }, { id: '2' }, { name: 'no id' }],
      paging: { next: '/v1.0/root/people?limit=25&fields=id,name&after=x' },
    }
    expect(parseNodeChoices(body, 'v1.0', graphUrl)).toEqual({
      choices: [
        { id: '1', label: 'Ada' },
        { id: '2', label: '2' },
      ],
      previous: undefined,
      next: '/v1.0/root/people?limit=25&after=x&fields=id%2Cname',
    })
  })

  it.each(['//evil.example/x', 'https://evil.example/graph/x', 'javascript:alert(1)'])(
    'have no page that leaves the graph: %s',
    next => {
      expect(parseNodeChoices({ data: [], paging: { next } }, 'v1.0', graphUrl).next).toBeUndefined()
    },
  )
})
