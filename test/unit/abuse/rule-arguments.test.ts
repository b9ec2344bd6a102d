import { allOf, anyOf, fieldEquals, hasEdgeToViewer, hasScope, isViewer, not, viewerHasEdge } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { catchError } from './schema-errors.ts'

const RULE =
  'a rule: an object with a name, a function "decide" and optionally a function "checks" and an array "reads"'

const VALUES = 'a string, a finite number, a boolean or an array of at least one of them'

describe('a rule with invalid arguments', () => {
  it.each([
    [isViewer, ['from'], 'isViewer: "options" must be an object; received "from"'],
    [isViewer, [{ off: 'from' }], 'isViewer: options must be one of "of"; received "off"; did you mean of?'],
    [isViewer, [{ of: 1 }], 'isViewer: "of" must be a string; received 1'],
    [viewerHasEdge, [], 'viewerHasEdge: "edge" must be a string that is not empty; received undefined'],
    [viewerHasEdge, [''], 'viewerHasEdge: "edge" must be a string that is not empty; received ""'],
    [viewerHasEdge, ['friends', { of: null }], 'viewerHasEdge: "of" must be a string; received null'],
    [viewerHasEdge, ['friends', 'from'], 'viewerHasEdge: "options" must be an object; received "from"'],
    [
      hasEdgeToViewer,
      [{}],
      'hasEdgeToViewer: "edge" must be a string that is not empty; received an empty object',
    ],
    [
      hasEdgeToViewer,
      ['members', { on: 'to' }],
      'hasEdgeToViewer: options must be one of "of", "where", "parameters"; received "on"; did you mean of?',
    ],
    [viewerHasEdge, ['friends', { where: 1 }], 'viewerHasEdge: "where" must be an object; received 1'],
    [
      viewerHasEdge,
      ['friends', { where: { role: null } }],
      `viewerHasEdge: "where.role" must be ${VALUES}; received null`,
    ],
    [
      hasEdgeToViewer,
      ['members', { where: { role: ['admin', undefined] } }],
      `hasEdgeToViewer: "where.role" must be ${VALUES}; received an array of length 2`,
    ],
    [
      hasEdgeToViewer,
      ['members', { where: { role: [] } }],
      `hasEdgeToViewer: "where.role" must be ${VALUES}; received an array of length 0`,
    ],
    [
      viewerHasEdge,
      ['friends', { parameters: { kind: {} } }],
      'viewerHasEdge: "parameters.kind" must be a string, a finite number or a boolean; received an empty object',
    ],
    [hasScope, [], 'hasScope: "scope" must be a string that is not empty; received undefined'],
    [
      hasScope,
      [['email']],
      'hasScope: "scope" must be a string that is not empty; received an array of length 1',
    ],
    [fieldEquals, [], 'fieldEquals: "field" must be a string that is not empty; received undefined'],
    [
      fieldEquals,
      ['privacy'],
      'fieldEquals: "value" must be a string, a finite number or a boolean; received undefined',
    ],
    [
      fieldEquals,
      ['score', Number.NaN],
      'fieldEquals: "value" must be a string, a finite number or a boolean; received NaN',
    ],
    [
      fieldEquals,
      ['born', new Date(0)],
      'fieldEquals: "value" must be a string, a finite number or a boolean; received a Date',
    ],
    [anyOf, [], 'anyOf: "rules" must be at least one rule; received none'],
    [allOf, [], 'allOf: "rules" must be at least one rule; received none'],
    [anyOf, [[isViewer()]], `anyOf: "rules[0]" must be ${RULE}; received an array of length 1`],
    [allOf, [isViewer(), isViewer], `allOf: "rules[1]" must be ${RULE}; received a function`],
    [not, [], `not: "rules[0]" must be ${RULE}; received undefined`],
    [
      not,
      [isViewer(), isViewer()],
      'not: "rule" must be one rule (allOf() combines several); received 2 rules',
    ],
  ])('throws an error with the expected and the received value: %o %j', (make, args, message) => {
    expect(catchError(make, ...args)).toEqual(new TypeError(message))
  })
})
