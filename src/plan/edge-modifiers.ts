import { describeValue } from '../base/describe.ts'
import { invalidParameterError } from '../base/errors.ts'
import type { FieldExpression, FieldItem } from '../fields/expression.ts'
import { unquoteArgument } from '../fields/parse.ts'
import type { EdgeType } from '../schema/edge.ts'
import { readLimit, readSummary } from './arguments.ts'
import {
  areStatic,
  assertPageOptions,
  createGivenParameters,
  NO_GIVEN_VALUES,
  parseGivenParameters,
} from './edge-parameters.ts'
import { DEFAULT_PAGE_SIZE } from './limits.ts'
import { createFirstPageWindow, createListKey, memoizeIfShort, printLinkQuery } from './link-query.ts'
import { formatParameters, onlyGiven, withoutListParameters } from './parameter-texts.ts'
import { assertRequiredParameters, parseParameter } from './parameter-values.ts'
import { hasSlots, type SlotParameterTest } from './slots.ts'
import type {
  EdgeList,
  GivenParameters,
  LinkParameter,
  TemplateValue,
  Window,
  WindowTemplate,
} from './window.ts'

/** The modifiers that all edges have. */
const EDGE_MODIFIERS = ['limit', 'after', 'before', 'since', 'until', 'order', 'summary', 'as']

/** The parsed modifiers of an item. They apply to each edge with the name of the item. */
export type EdgeModifiers = {
  readonly limit: number
  /** The name of the requested order, or `undefined` to use the order of the edge. */
  readonly order: string | undefined
  readonly summary: boolean
  /** The parameters of the links of the pages. */
  readonly linkParameters: readonly LinkParameter[]
  /** The slots of the window, or `undefined` if neither the item nor any item below it has a slot. */
  readonly slots: WindowTemplate['slots'] | undefined
}

const argumentOf = ({ modifiers }: FieldItem, name: string): string | undefined => {
  for (const modifier of modifiers) if (modifier.name === name) return modifier.argument
  return undefined
}

const readSlot = (item: FieldItem, name: string): number | undefined => {
  const argument = argumentOf(item, name)
  return argument === undefined ? undefined : Number(argument)
}

const readSlots = (item: FieldItem): WindowTemplate['slots'] => ({
  after: readSlot(item, 'after'),
  before: readSlot(item, 'before'),
  since: readSlot(item, 'since'),
  until: readSlot(item, 'until'),
})

/**
 * Returns the parameters of an edge that an item gives.
 *
 * @throws GraphError `invalid_parameter` for a modifier that the edge does not have, for an invalid value that
 * is not a slot, or for a missing required parameter.
 */
export const readGivenParameters = (
  { name, modifiers }: FieldItem,
  edge: EdgeType,
  isSlotParameter: SlotParameterTest,
): GivenParameters => {
  const { parameters: declared } = edge
  let given: Map<string, TemplateValue> | undefined
  for (const { name: modifier, argument } of modifiers) {
    if (EDGE_MODIFIERS.includes(modifier)) continue
    if (!Object.hasOwn(declared, modifier)) {
      const knownModifiers = [...EDGE_MODIFIERS, ...Object.keys(declared)].join(', ')
      throw invalidParameterError(
        modifier,
        `a modifier of ${name}: ${knownModifiers}`,
        describeValue(modifier),
      )
    }
    if (isSlotParameter(name, modifier)) {
      given ??= new Map()
      given.set(modifier, { kind: 'slot', index: Number(argument) })
      continue
    }
    const value = { kind: 'argument', text: argument } as const
    const parameter = declared[modifier]
    if (parameter !== undefined) parseParameter(modifier, value, parameter)
    given ??= new Map()
    given.set(modifier, value)
  }
  const parameters = createGivenParameters(edge, given ?? NO_GIVEN_VALUES)
  assertRequiredParameters(declared, parameters.given)
  return parameters
}

/**
 * Parses the modifiers that all edges have.
 *
 * @throws GraphError `invalid_parameter` for an invalid value.
 */
export const readEdgeModifiers = (
  item: FieldItem,
  maxPageSize: number,
  isSlotParameter: SlotParameterTest,
): EdgeModifiers => {
  if (argumentOf(item, 'after') !== undefined && argumentOf(item, 'before') !== undefined)
    throw invalidParameterError('before', `left out if ${item.name} has "after"`, 'both')
  const limitArgument = argumentOf(item, 'limit')
  const orderArgument = argumentOf(item, 'order')
  const summaryArgument = argumentOf(item, 'summary')
  const summary = summaryArgument !== undefined && readSummary(summaryArgument)
  const linkParameters: LinkParameter[] = []
  if (limitArgument !== undefined) linkParameters.push(['limit', unquoteArgument(limitArgument)])
  if (orderArgument !== undefined) linkParameters.push(['order', unquoteArgument(orderArgument)])
  if (summaryArgument !== undefined) linkParameters.push(['summary', unquoteArgument(summaryArgument)])
  return {
    limit:
      limitArgument === undefined
        ? Math.min(DEFAULT_PAGE_SIZE, maxPageSize)
        : readLimit(limitArgument, maxPageSize, summary),
    order: orderArgument === undefined ? undefined : unquoteArgument(orderArgument),
    summary,
    linkParameters,
    slots: hasSlots(item, isSlotParameter) ? readSlots(item) : undefined,
  }
}

const NO_SLOTS: WindowTemplate['slots'] = {
  after: undefined,
  before: undefined,
  since: undefined,
  until: undefined,
}

/** The properties of one edge from which its window is created. */
type WindowInput = {
  readonly edgeList: EdgeList
  readonly parameters: GivenParameters
  readonly appScoped: boolean
  /** Returns the fields for the links of the pages. */
  readonly getLinkFields: () => FieldExpression | undefined
  readonly isSlotParameter: SlotParameterTest
}

/** Creates the window of an item for one edge, or its template if the window depends on the call. */
export const createWindow = (
  item: FieldItem,
  { linkParameters, slots }: EdgeModifiers,
  { edgeList, parameters, appScoped, getLinkFields, isSlotParameter }: WindowInput,
): Window | WindowTemplate => {
  assertPageOptions(edgeList, { order: argumentOf(item, 'order') })
  if (slots !== undefined || !areStatic(parameters)) {
    return {
      item,
      edgeList,
      parameters,
      appScoped,
      slots: slots ?? NO_SLOTS,
      linkParameters,
      getLinkFields,
      isSlotParameter,
    }
  }
  const values = parseGivenParameters(parameters, [])
  const texts = formatParameters(parameters.declared, values)
  const allLinkParameters = [...linkParameters, ...onlyGiven(texts, parameters)]
  const createLinkQuery = memoizeIfShort(() => printLinkQuery(getLinkFields(), allLinkParameters))
  return createFirstPageWindow(
    createLinkQuery,
    createListKey(edgeList, withoutListParameters(texts, parameters)),
    values,
  )
}
