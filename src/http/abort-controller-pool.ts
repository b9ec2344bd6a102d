/**
 * The number of requests that share a controller, which bounds the lifetime of a listener that is never
 * removed from its signal.
 */
const REQUESTS_PER_CONTROLLER = 100

type SharedController = { readonly controller: AbortController; usesLeft: number }

/**
 * Creates the controllers that abort reads when clients disconnect. The requests of one connection share a
 * controller, since all of them end with it. Creating one for each takes a sixth of the work of a small
 * response.
 */
export class AbortControllerPool {
  readonly #bySocket = new WeakMap<object, SharedController>()

  /**
   * Returns the controller for the next request of a connection, or of an HTTP/2 stream, which has its own
   * socket.
   */
  acquire(socket: object): AbortController {
    const pooled = this.#bySocket.get(socket)
    const isReusable = pooled !== undefined && pooled.usesLeft > 0 && !pooled.controller.signal.aborted
    const shared = isReusable
      ? pooled
      : { controller: new AbortController(), usesLeft: REQUESTS_PER_CONTROLLER }
    if (!isReusable) this.#bySocket.set(socket, shared)
    shared.usesLeft--
    return shared.controller
  }
}
