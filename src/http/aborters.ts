/** How many requests share one: a listener that nobody takes off its signal again stays no longer than these. */
const SHARED = 100

type Shared = { readonly aborter: AbortController; left: number }

/**
 * What ends the reads for clients that go away. The requests of one connection share a controller, since all of them end
 * with it; to make one for each takes a sixth of the work of a small answer.
 */
export class Aborters {
  readonly #bySocket = new WeakMap<object, Shared>()

  /** For the next request of a connection, or of a stream of HTTP/2, which is a socket of its own. */
  next(socket: object): AbortController {
    const known = this.#bySocket.get(socket)
    const isOfUse = known !== undefined && known.left > 0 && !known.aborter.signal.aborted
    const shared = isOfUse ? known : { aborter: new AbortController(), left: SHARED }
    if (!isOfUse) this.#bySocket.set(socket, shared)
    shared.left--
    return shared.aborter
  }
}
