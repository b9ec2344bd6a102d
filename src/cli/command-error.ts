/** An error that ends a command. `showsUsage`: whether the arguments are wrong, so that the usage helps. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly showsUsage: boolean

  constructor(message: string, options: { readonly showsUsage?: boolean; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.showsUsage = options.showsUsage ?? false
  }
}
