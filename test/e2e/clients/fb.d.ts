declare module 'fb' {
  type Options = {
    readonly accessToken?: string
    readonly appSecret?: string
    readonly version?: string
    readonly proxy?: string
  }
  type Parameters = { readonly [name: string]: unknown }

  export class FacebookApiException extends Error {
    readonly response: { readonly error: { readonly [name: string]: unknown } }
  }

  /** The parts of the client that the tests use. */
  export class Facebook {
    constructor(options?: Options)
    extend(options: Options): Facebook
    api(path: string, method: 'get' | 'post' | 'delete', parameters: Parameters): Promise<unknown>
    api(path: string, parameters?: Parameters): Promise<unknown>
    napi(
      path: string,
      parameters: Parameters,
      callback: (error: FacebookApiException | null, response?: unknown) => void,
    ): void
  }
}
