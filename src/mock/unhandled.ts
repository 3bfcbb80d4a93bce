/** The actions of MSW for a request that no handler answers. */
type Print = { warning(): void; error(): void }

/** The treatment of requests that no handler answers, as in MSW 2, for each version of MSW. */
export type OnUnhandledRequest = 'bypass' | 'warn' | 'error' | ((request: Request, print: Print) => void)

/** The used part of the arguments of MSW 3. The frame of a WebSocket connection has no request. */
type Unhandled = {
  frame: { data: { request?: Request } }
  defaults: { warn(): void; error(): void }
}

/** The option for each version of MSW: MSW 3 ignores the name of MSW 2, and would let requests go to the network. */
export function unhandled(onUnhandledRequest: OnUnhandledRequest) {
  const onUnhandledFrame =
    typeof onUnhandledRequest === 'string'
      ? onUnhandledRequest
      : ({ frame: { data }, defaults }: Unhandled) => {
          if (!data.request) return defaults.warn()
          return onUnhandledRequest(data.request, { warning: defaults.warn, error: defaults.error })
        }
  return { onUnhandledRequest, onUnhandledFrame }
}
