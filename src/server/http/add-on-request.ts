import type { onRequestHookHandler, RouteOptions } from 'fastify'

/** Adds a hook to a route, after those that the application adds to every route, such as its rate limit. */
export function addOnRequest(route: RouteOptions, hook: onRequestHookHandler): void {
  route.onRequest = [...[route.onRequest ?? []].flat(), hook]
}
