import type { Sessions } from '../access/sessions.ts'
import type { DeclaredAction } from '../interface/action-calls.ts'
import type { ActionRuntime } from './action-runtime.ts'
import type { Engine } from './engine.ts'

/** The parts of a graph that its actions use. */
export type ActionHost = {
  /** Returns the graph, which exists after its engine. */
  readonly graph: () => object
  readonly sessions: Pick<Sessions, 'lent'>
}

/** Checks the actions of a graph, and returns their runtime. @throws TypeError with all errors of the actions. */
export type InstallActions = (
  engine: Engine,
  actions: readonly DeclaredAction[],
  host: ActionHost,
) => ActionRuntime

/**
 * An action that brings its runtime along, so that a graph without actions does not load it.
 */
export type InstallableAction = DeclaredAction & { readonly '~install': InstallActions }
