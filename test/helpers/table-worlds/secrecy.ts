import fc from 'fast-check'
import { expect } from 'vitest'
import type { TableModel } from '../../../src/tables/model/table-model.ts'
import { printItems } from '../naive-graph/query.ts'
import { type Caller, type CallVariant, captureText, recordTranscript } from '../probes.ts'
import { countExaminedPerCall } from '../scan-overrides.ts'
import { pageCalls } from './calls.ts'
import type { WorldViewer } from './compare.ts'
import { worldPairs } from './hidden-rows.ts'
import { type CursorCall, withMadeUpPositions } from './made-up-cursors.ts'
import { type TableWorld, TENANTS } from './rows.ts'

/** A graph over the tables of worlds, and how to replace their rows. */
export type GraphOfWorlds = {
  readonly fill: (world: TableWorld) => Promise<void> | void
  readonly callerOf: (viewer: WorldViewer) => Caller
  /** Returns the cursor of a call, while both tenants have rows. */
  readonly makeCursor: (call: CursorCall) => Promise<string>
  /** Returns the id that a caller knows a node by, if it is not the id of the row. */
  readonly toPublic?: (id: string) => string
  readonly onText?: ((text: string) => void) | undefined
}

/** The sources of lists. Most of them are in most worlds. */
const SOURCES = [
  'me',
  'root',
  'root',
  'account-1',
  'account-2',
  'account-3',
  'photo-1',
  'photo-2',
  'team-a',
  'revision-1~1',
]
const MAX_CALLS = 20

const PLAIN_CALL: Omit<CallVariant, 'side'> = {
  via: 'same',
  debug: 'all',
  partial: undefined,
  metadata: undefined,
  summary: false,
  seed: 0,
}

/** Reads a list as a field of its source. */
const printField = ({ call, side }: CursorCall, cursor: string): string => {
  const { id: _, edge: name, method: _method, version: _version, style: _style, fields, ...modifiers } = call
  const below = fields.length === 0 ? '' : `{${printItems(fields)}}`
  return `${printItems([{ name, ...modifiers }])}.${side}("${cursor}")${below}`
}

/** Returns the page after a cursor and the pages that its links lead to, as a client receives them. */
const recordPages = async (caller: Caller, one: CursorCall, cursor: string): Promise<readonly string[]> => {
  const { call, side, isField } = one
  if (!isField)
    return recordTranscript(caller, { callSpec: call, variant: { ...PLAIN_CALL, side } }, { ids: [], cursor })
  const fields = printField(one, cursor)
  const { text } = await captureText(() => caller.graph.getNode(caller.session, { id: call.id, fields }))
  return [text]
}

/**
 * The law that two worlds that differ only in rows of another tenant give the same bytes, with cursors and links, and
 * examine as many edges, whatever cursors the calls have. `onText` receives each text.
 */
export const createSecrecyLaw = (
  model: TableModel,
  { fill, callerOf, makeCursor, toPublic = id => id, onText }: GraphOfWorlds,
): fc.IAsyncPropertyWithHooks<unknown[]> =>
  fc.asyncProperty(
    worldPairs,
    fc.array(withMadeUpPositions(model, pageCalls(model, SOURCES)), {
      minLength: 1,
      maxLength: MAX_CALLS,
      size: 'max',
    }),
    fc.constantFrom(1, 1, 2, undefined),
    async ([shown, withHidden], calls, viewer) => {
      const caller = callerOf({ viewer, tenant: TENANTS[0] })
      await fill(withHidden)
      const cursors = await Promise.all(calls.map(makeCursor))
      const record = async (): Promise<readonly string[]> => {
        const texts: string[] = []
        for (const [index, { call, ...rest }] of calls.entries()) {
          const publicCall = { ...rest, call: { ...call, id: toPublic(call.id) } }
          const cursor = cursors[index] ?? ''
          const { result, examined } = await countExaminedPerCall(() =>
            recordPages(caller, publicCall, cursor),
          )
          texts.push(...result, `examined ${examined}`)
        }
        return texts
      }
      const texts = await record()
      await fill(shown)
      expect(texts).toEqual(await record())
      for (const text of texts) onText?.(text)
    },
  )
