/** What MSW prints or does for a request that no handler answers. */
type Print = { warning(): void; error(): void }

/** What happens to requests that no handler answers: as in MSW 2, with each version of MSW. */
export type OnUnhandledRequest = 'bypass' | 'warn' | 'error' | ((request: Request, print: Print) => void)

/** The part of the arguments of MSW 3 that is used here: of a WebSocket connection the frame has no request. */
type Unhandled = {
  frame: { data: { request?: Request } }
  defaults: { warn(): void; error(): void }
}

/** The option for each version of MSW: MSW 3 does not know the name of MSW 2, and would let requests go to the network. */
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
