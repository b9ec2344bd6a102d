import { endpointOfAction, isNodeAction, NODE_ACTIONS } from '../base/action-endpoint.ts'
import { shortenText } from '../base/describe.ts'
import { GraphError } from '../base/errors.ts'
import type { ActionTarget } from '../execute/action-runtime.ts'
import { fieldNotFoundError } from '../plan/not-found-errors.ts'
import type { Registry } from '../schema/registry.ts'
import type { Action } from './action.ts'

const METHODS = { add: 'post', remove: 'delete' } as const

/** Returns the beginning of the message of an error that the protocol has for the method of a call. */
export const unsupportedRequestOf = (target: ActionTarget): string =>
  target.kind === 'action' ? 'Unsupported request' : `Unsupported ${METHODS[target.operation]} request`

const formatEndpoint = (name: string): string => {
  const { method, subject } = endpointOfAction(name)
  return subject === undefined ? `${method} /{id}` : `${method} /{id}/${subject}`
}

/** Finds the actions of a graph by the names that callers send. */
export class ActionRegistry {
  readonly #registry: Registry
  readonly #actionsByType = new Map<string, Map<string, Action>>()

  constructor(registry: Registry, actions: readonly Action[]) {
    this.#registry = registry
    for (const action of actions) {
      const actionsByName = this.#actionsByType.get(action.type) ?? new Map<string, Action>()
      this.#actionsByType.set(action.type, actionsByName.set(action.name, action))
    }
  }

  /** The names of the types that have actions. */
  get types(): Iterable<string> {
    return this.#actionsByType.keys()
  }

  /** Returns the actions of a type, in the order of their declaration. */
  actionsOf(type: string): readonly Action[] {
    return [...(this.#actionsByType.get(type)?.values() ?? [])]
  }

  /** Returns the action that a call names for a source of a type, or `undefined` if there is none. */
  find(type: string, target: ActionTarget): Action | undefined {
    const name = this.#toActionName(type, target)
    return name === undefined ? undefined : this.#actionsByType.get(type)?.get(name)
  }

  /**
   * Returns the action that a call names for a source of a type.
   *
   * @throws GraphError `field_not_found` for a name that is neither an edge nor an action of the type;
   * `method_not_supported` if the node or the edge has no such action.
   */
  require(type: string, target: ActionTarget): Action {
    const action = this.find(type, target)
    if (action !== undefined) return action
    const { name } = target
    if (name === undefined || this.#isKnown(type, name)) throw this.#methodNotSupportedError(type, target)
    const edges = Object.keys(this.#registry.getType(type)?.edges ?? {})
    const knownNames = new Set([...edges, ...this.actionsOf(type).map(known => known.name)])
    throw fieldNotFoundError({ name, location: `on node type (${type})`, type, knownNames })
  }

  /** Whether a name is that of an edge or an action, or begins with one. */
  #isKnown(type: string, name: string): boolean {
    const [base = ''] = name.split('.')
    const isEdge = this.#registry.getEdge(type, base) !== undefined
    return isEdge || isNodeAction(base) || this.#hasAction(type, base)
  }

  #hasAction(type: string, name: string): boolean {
    return this.#actionsByType.get(type)?.has(name) === true
  }

  #methodNotSupportedError(type: string, target: ActionTarget): GraphError {
    const { name } = target
    const subject = name === undefined ? `The type ${type}` : `${shortenText(name)} of ${type}`
    const explanation =
      name !== undefined && this.#hasAction(type, name)
        ? `The request of the action ${name} is ${formatEndpoint(name)}`
        : `${subject} has no such action`
    return new GraphError('method_not_supported', `${unsupportedRequestOf(target)}. ${explanation}`, { type })
  }

  #toActionName(type: string, target: ActionTarget): string | undefined {
    if (target.kind === 'action') return target.name
    const { name, operation } = target
    if (name === undefined) return NODE_ACTIONS[operation]
    if (this.#registry.getEdge(type, name) !== undefined) return `${name}.${operation}`
    // A name in a path stands for an action of its own, which only a POST runs.
    return operation === 'add' && !isNodeAction(name) && !name.includes('.') ? name : undefined
  }
}
