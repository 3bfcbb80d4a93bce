import type { ProxyResponse } from '../broken-server-proxy.js'
import { type BrokenServer, is } from './broken-server.js'

export const concurrencyServers: BrokenServer[] = [
  {
    name: 'one of two concurrent creations fails with 500',
    caughtBy: 'Two concurrent creations of one name may both succeed, and the list has those that did',
    behave: () => {
      let pending = 0
      return async (request, send) => {
        if (!is('createProject')(request)) return send(request)
        pending += 1
        const isSecond = pending > 1
        const response = await send(request)
        pending -= 1
        return isSecond ? { ...response, status: 500 } : response
      }
    },
  },
  {
    name: 'one of two concurrent creations is lost',
    caughtBy: 'Concurrent creations of two teams are each in the list of the own team',
    behave: () => {
      let pending: Promise<ProxyResponse> | undefined
      return async (request, send) => {
        if (!is('createProject')(request)) return send(request)
        const first = pending
        if (first) return first
        pending = send(request)
        const response = await pending
        pending = undefined
        return response
      }
    },
  },
]
