import { assertCall, assertIdList } from '../base/assert-call.ts'
import { describe } from '../base/describe.ts'
import { badParameter } from '../base/faults.ts'
import { isPlainObject } from '../base/json.ts'
import type { OptionKinds } from '../base/options.ts'
import { isVersion } from '../base/version.ts'
import type { CountedPage, LooseNode } from '../schema/inference/answer.ts'
import type { ClientSettings } from './client-options.ts'
import { CursorCircle } from './cursor-circle.ts'
import { foreignAnswer } from './outcome.ts'
import { asCalled, parametersOf, type RemoteCall } from './parameters.ts'
import { assertEdge, edgeAt, entryAt, nodeAt, type Place, severalAt } from './place.ts'
import type { RemoteRequest } from './remote-request.ts'
import { Sender } from './sender.ts'

const CALL = {
  fields: 'any',
  metadata: 'boolean',
  version: 'text',
  signal: 'any',
  debug: 'any',
  partial: 'boolean',
  proof: 'text',
} as const

const EDGE = {
  type: 'text',
  edge: 'text',
  limit: 'any',
  after: 'any',
  before: 'any',
  since: 'any',
  until: 'any',
  order: 'any',
  summary: 'any',
  ...CALL,
} as const

// An iteration goes one way, and answers entries alone.
const { before, summary, metadata, debug, ...WALK } = EDGE

/** What each read takes: what it takes in-process, but for what only the process of a store can know. */
const OPTIONS = {
  getMe: CALL,
  getNode: { id: 'any', type: 'text', ...CALL },
  getNodes: { ids: 'any', ...CALL },
  getEdge: { id: 'any', ...EDGE },
  getEdges: { ids: 'any', ...EDGE },
  hasEdge: { id: 'any', type: 'text', edge: 'any', target: 'any', signal: 'any', proof: 'text' },
  iterateEdge: { id: 'any', ...WALK },
} as const satisfies { readonly [method: string]: OptionKinds }

type Method = keyof typeof OPTIONS

const isNode = (value: unknown): value is LooseNode => isPlainObject(value) && typeof value.id === 'string'

const isPage = (value: unknown): value is CountedPage<LooseNode> =>
  isPlainObject(value) && Array.isArray(value.data)

const isById =
  <TAnswer>(isAnswer: (value: unknown) => value is TAnswer) =>
  (value: unknown): value is { [id: string]: TAnswer } =>
    isPlainObject(value) &&
    Object.entries(value).every(([id, answer]) => id === '__debug__' || isAnswer(answer))

/** A call whose caller got nothing wrong. The token is empty where there is none. */
type Asked = { readonly method: Method; readonly token: string; readonly call: RemoteCall }

/** @throws TypeError for what is no token as text, an unknown option, or one of another kind. */
const askedBy = (method: Method, token: unknown, call: RemoteCall): Asked => {
  assertCall(method, call, OPTIONS[method])
  if (typeof token === 'string') return { method, token, call }
  if (token === undefined || token === null) return { method, token: '', call }
  const expected = 'a token as text, since sessions do not leave the process of their graph'
  throw new TypeError(`${method}: expected ${expected}, came ${describe(token)}`)
}

/** What is answered where nothing is asked for. */
const nothingOf = ({ debug }: RemoteCall): { [id: string]: never } => {
  const nothing: { [id: string]: never } = {}
  return debug === undefined ? nothing : Object.assign(nothing, { __debug__: { messages: [] } })
}

/** The reads of a remote graph, untyped: each checks what its caller got wrong, then asks. */
export class RemoteReads {
  readonly #sender: Sender
  readonly #version: string | undefined

  constructor(settings: ClientSettings) {
    this.#sender = new Sender(settings)
    this.#version = settings.version
  }

  async getMe(token: unknown, call: RemoteCall = {}): Promise<LooseNode> {
    return this.#read(askedBy('getMe', token, call), nodeAt('me'), isNode)
  }

  async getNode(token: unknown, call: RemoteCall): Promise<LooseNode> {
    const asked = askedBy('getNode', token, call)
    return this.#read(asked, nodeAt(call.id), isNode)
  }

  async getNodes(token: unknown, call: RemoteCall): Promise<{ [id: string]: LooseNode }> {
    return this.#several(askedBy('getNodes', token, call), '/', isNode)
  }

  async getEdge(token: unknown, call: RemoteCall): Promise<CountedPage<LooseNode>> {
    const asked = askedBy('getEdge', token, call)
    assertEdge('getEdge', call.edge)
    return this.#read(asked, edgeAt(call.id, call.edge), isPage)
  }

  async getEdges(token: unknown, call: RemoteCall): Promise<{ [id: string]: CountedPage<LooseNode> }> {
    const asked = askedBy('getEdges', token, call)
    assertEdge('getEdges', call.edge)
    return this.#several(asked, `/${call.edge}`, isPage)
  }

  async hasEdge(token: unknown, call: RemoteCall): Promise<boolean> {
    const asked = askedBy('hasEdge', token, call)
    assertEdge('hasEdge', call.edge)
    const { data } = await this.#read(asked, entryAt(call.id, call.edge, call.target), isPage)
    return data.length > 0
  }

  /** The entries of all pages, read as they are asked for. */
  async *iterateEdge(token: unknown, call: RemoteCall): AsyncGenerator<LooseNode, void> {
    let { after } = askedBy('iterateEdge', token, call).call
    const cursors = new CursorCircle(after)
    for (;;) {
      const page = await this.getEdge(token, { ...call, after })
      yield* page.data
      if (page.paging?.next === undefined) return
      const next: unknown = page.paging.cursors?.after
      if (typeof next !== 'string') throw foreignAnswer({ after: describe(next) })
      cursors.assertNew(next)
      after = next
    }
  }

  async #several<TAnswer>(
    asked: Asked,
    path: string,
    isAnswer: (value: unknown) => value is TAnswer,
  ): Promise<{ [id: string]: TAnswer }> {
    const { method, call } = asked
    assertIdList(method, call.ids)
    const request = this.#requestOf(asked, severalAt(path, call.ids))
    return call.ids.length === 0 ? nothingOf(call) : this.#send(request, call, isById(isAnswer))
  }

  #read<TAnswer>(
    asked: Asked,
    place: Place,
    isAnswer: (value: unknown) => value is TAnswer,
  ): Promise<TAnswer> {
    return this.#send(this.#requestOf(asked, place), asked.call, isAnswer)
  }

  /** @throws GraphError `bad_parameter` for what is refused before anything is sent. */
  #requestOf({ token, call }: Asked, { path, parameters }: Place): RemoteRequest {
    const { version = this.#version } = call
    if (version !== undefined && !isVersion(version))
      throw badParameter('version', 'a version such as v1.0', describe(version))
    return {
      path: version === undefined ? path : `/${version}${path}`,
      parameters: [...parameters, ...parametersOf(call)],
      token,
    }
  }

  async #send<TAnswer>(
    request: RemoteRequest,
    call: RemoteCall,
    isAnswer: (value: unknown) => value is TAnswer,
  ): Promise<TAnswer> {
    const aborter = call.signal instanceof AbortSignal ? call.signal : undefined
    const answer = await this.#sender.send(request, aborter).catch((fault: unknown) => {
      throw asCalled(fault, call)
    })
    if (!isAnswer(answer)) throw foreignAnswer({ came: describe(answer) })
    return answer
  }
}
