import type { IdKind, NodeId } from '../../base/ids.ts'
import type { AheadStep, Condition, ReadAhead } from '../../store/contract.ts'
import { putEdge, putNode } from '../records.ts'
import { toNamedId } from '../renamed-ids.ts'

/** Escapes of these texts differ between JSON readers. A record with one of them need not be read ahead. */
const TEXTS = ['plain', '"', '\\u0000', '\u0001', '😀']

/** Returns the function that creates the values of refs. The probe does not rename values. */
export const refsOf =
  (ids: IdKind) =>
  (id: NodeId): string =>
    ids === 'named' ? toNamedId(id) : id

/** Albums with photos, whose refs lead to an owner, to a missing node, or to no node. */
export const createMutations = (refOf: (id: NodeId) => string) => [
  ...['1', '2'].map(id => putNode(id, { name: id, album: refOf('10') }, 'user')),
  ...['10', '11'].map((id, index) => putNode(id, { owner: refOf('1'), text: TEXTS[index] ?? '' }, 'album')),
  ...Array.from({ length: 7 }, (_, index) =>
    putNode(
      `${20 + index}`,
      {
        owner: [refOf('2'), refOf('1'), refOf('404'), 5, 'no id', refOf('1'), refOf('2')][index] ?? '',
        text: TEXTS[index] ?? '',
      },
      'photo',
    ),
  ),
  ...[20, 21, 22, 23, 24, 25].map(id => putEdge('10', 'photos', `${id}`, id < 23 ? 7 : id, { place: id })),
  putEdge('11', 'photos', '26', -1),
  putEdge('11', 'photos', '2', 5),
  ...[10, 11].map(id => putEdge('1', 'albums', `${id}`, id)),
  ...[20, 21, 22].map(id => putEdge('2', 'likes', `${id}`, 3)),
]

const DEFAULT_LIMIT = 3

const list = (name: string, members: Partial<AheadStep & { kind: 'list' }> = {}): AheadStep => ({
  kind: 'list',
  name,
  direction: 'newest',
  limit: DEFAULT_LIMIT,
  pageLimit: members.limit ?? DEFAULT_LIMIT,
  count: false,
  ahead: undefined,
  ...members,
})

const ref = (field: string, ahead?: ReadAhead): AheadStep => ({ kind: 'ref', field, ahead })

const OWNER: ReadAhead = new Map([['user', [list('likes', { count: true }), ref('album')]]])
const PHOTO_STEPS = [ref('owner', OWNER)]
/** Hints of lists and refs, in several levels. */
export const HINTS: readonly ReadAhead[] = [
  new Map([['user', [list('albums')]]]),
  new Map([['user', [list('nothing', { count: true }), list('albums', { direction: 'oldest', limit: 1 })]]]),
  new Map([
    ['user', [list('likes', { ahead: new Map([['photo', PHOTO_STEPS]]) })]],
    ['album', [ref('owner'), list('photos', { limit: 6, count: true })]],
  ]),
  new Map([
    [
      'user',
      [
        list('albums', {
          direction: 'oldest',
          ahead: new Map([
            [
              'album',
              [
                list('photos', { limit: 5, count: true, ahead: new Map([['photo', PHOTO_STEPS]]) }),
                ref('owner'),
              ],
            ],
          ]),
        }),
      ],
    ],
  ]),
]

/** Creates the step of a list whose last entry only shows that the list continues. */
const conditionalList = (
  name: string,
  conditions: readonly Condition[],
  { limit = DEFAULT_LIMIT, ...members }: Partial<AheadStep & { kind: 'list' }> = {},
): AheadStep => list(name, { conditions, maxExamined: 100, limit, pageLimit: limit - 1, ...members })

const conditionalRef = (field: string, conditions: readonly Condition[]): AheadStep => ({
  kind: 'ref',
  field,
  ahead: undefined,
  conditions,
})

/**
 * Lists whose conditions let some entries pass, none, or all, and whose rows may end before the page does. For the nodes
 * of refs, one of several conditions holds, or none.
 */
export const CONDITIONAL_HINTS: readonly ReadAhead[] = [
  new Map([
    [
      'album',
      [
        conditionalList('photos', [{ kind: 'field', field: 'text', anyOf: ['plain', '😀'] }], {
          count: true,
        }),
        conditionalList('photos', [{ kind: 'node', id: '23' }], { limit: 5, maxExamined: 2 }),
        conditionalList('photos', []),
      ],
    ],
    ['user', [conditionalList('likes', [{ kind: 'edge', name: 'photos', from: '10' }])]],
  ]),
  new Map([
    [
      'album',
      [
        conditionalRef('owner', [
          { kind: 'edge', name: 'photos', from: '10' },
          { kind: 'edge', name: 'likes', to: '20' },
          { kind: 'edge', name: 'albums', to: '10' },
        ]),
        conditionalRef('owner', [{ kind: 'edge', name: 'likes', to: '20' }]),
        conditionalList(
          'photos',
          [
            { kind: 'field', field: 'text', anyOf: ['"'] },
            { kind: 'edge', name: 'likes', from: '2' },
            { kind: 'edge', name: 'photos', from: '10' },
          ],
          { limit: 7 },
        ),
      ],
    ],
    ['user', [conditionalRef('album', [{ kind: 'edge', name: 'albums', from: '1' }])]],
  ]),
  new Map([
    [
      'user',
      [
        conditionalList('albums', [{ kind: 'edge', name: 'photos', to: '26' }], {
          direction: 'oldest',
          ahead: new Map([
            [
              'album',
              [
                conditionalList('photos', [{ kind: 'node', of: 'owner', id: '2' }], {
                  ahead: new Map([['photo', PHOTO_STEPS]]),
                }),
                conditionalList('photos', [{ kind: 'field', field: 'text', anyOf: ['plain'] }], {
                  limit: 2,
                  maxExamined: 1,
                }),
              ],
            ],
          ]),
        }),
      ],
    ],
  ]),
  new Map([
    [
      'user',
      [
        conditionalList('albums', [{ kind: 'edge', name: 'albums', from: '1' }], {
          limit: 2,
          ahead: new Map([['album', [list('photos'), ref('owner')]]]),
        }),
      ],
    ],
  ]),
]
