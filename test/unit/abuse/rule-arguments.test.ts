import { allOf, anyOf, fieldEquals, hasEdgeToViewer, hasScope, isViewer, not, viewerHasEdge } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { thrownBy } from './schema-faults.ts'

const RULE = 'a rule, with a name as text, a function decide and perhaps a function tests'

describe('a rule that is declared wrongly', () => {
  it.each([
    [isViewer, ['from'], 'isViewer: expected options as an object, came "from"'],
    [isViewer, [{ off: 'from' }], 'isViewer: unknown option "off"; expected "of" or none'],
    [isViewer, [{ of: 1 }], 'isViewer: of must be text, came 1'],
    [viewerHasEdge, [], 'viewerHasEdge: expected the name of an edge, came undefined'],
    [viewerHasEdge, [''], 'viewerHasEdge: expected the name of an edge, came ""'],
    [viewerHasEdge, ['friends', { of: null }], 'viewerHasEdge: of must be text, came null'],
    [viewerHasEdge, ['friends', 'from'], 'viewerHasEdge: expected options as an object, came "from"'],
    [hasEdgeToViewer, [{}], 'hasEdgeToViewer: expected the name of an edge, came an empty object'],
    [
      hasEdgeToViewer,
      ['members', { on: 'to' }],
      'hasEdgeToViewer: unknown option "on"; expected "of" or none',
    ],
    [hasScope, [], 'hasScope: expected a scope, came undefined'],
    [hasScope, [['email']], 'hasScope: expected a scope, came a list of 1'],
    [fieldEquals, [], 'fieldEquals: expected the name of a field, came undefined'],
    [fieldEquals, ['privacy'], 'fieldEquals: expected text, a finite number or a boolean, came undefined'],
    [
      fieldEquals,
      ['score', Number.NaN],
      'fieldEquals: expected text, a finite number or a boolean, came NaN',
    ],
    [
      fieldEquals,
      ['born', new Date(0)],
      'fieldEquals: expected text, a finite number or a boolean, came a Date',
    ],
    [anyOf, [], 'anyOf: expected at least one rule, came none'],
    [allOf, [], 'allOf: expected at least one rule, came none'],
    [anyOf, [[isViewer()]], `anyOf: rules[0] must be ${RULE}, came a list of 1`],
    [allOf, [isViewer(), isViewer], `allOf: rules[1] must be ${RULE}, came a function`],
    [not, [], `not: rules[0] must be ${RULE}, came undefined`],
    [not, [isViewer(), isViewer()], 'not: expected one rule, came 2; join them by anyOf or allOf'],
  ])('says what was expected and what came: %o %j', (make, args, message) => {
    expect(thrownBy(make, ...args)).toEqual(new TypeError(message))
  })
})
