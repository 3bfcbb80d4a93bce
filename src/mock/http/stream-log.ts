import type { Controls } from '../controls/controls.js'
import type { SentRequest } from '../engine/sent-request.js'
import { faults } from '../log/filter-rules.js'
import type { LogEntry } from '../log/log-entry.js'

/** The maximum number of followers. Another one disconnects the oldest. */
const maxFollowers = 50

/** The length of a chunk, in characters, which the last entry may exceed. The log holds the rest, once for all followers. */
const maxChunk = 16 * 1024

/** The most entries of a read: a chunk has about 30. */
const maxRead = 32

const encoder = new TextEncoder()
const eventOf = (entry: LogEntry) => `event: request\nid: ${entry.id}\ndata: ${JSON.stringify(entry)}\n\n`
/** Without an id, so that a client that reconnects misses nothing. */
const changedEvent = (entry: LogEntry) => `event: request\ndata: ${JSON.stringify(entry)}\n\n`

/**
 * Streams the log as server-sent events: new entries, those after `last-event-id`, or with `?since=0` all stored ones.
 * Comments keep the connection alive. A disconnected EventSource reconnects and requests the missed entries.
 */
export function createLogStreams(): (sent: SentRequest, controls: Controls) => Promise<Response> {
  /** Disconnects each follower, the oldest first. */
  const followers = new Set<() => void>()

  return async ({ headers, url }, { log, onChange }) => {
    const given = new URL(url).searchParams.get('since')
    if (given !== null && !/^\d{1,15}$/.test(given)) {
      return Response.json({ error: `${faults.count} Invalid: since.` }, { status: 422 })
    }
    const since = headers['last-event-id'] ?? given
    const latest = (await log.read()).at(-1)?.id ?? 0
    // An id that the log does not have is from before a restart of the server: the client has seen nothing of this log.
    const asked = Number(since)
    const isKnown = Number.isInteger(asked) && asked >= 0 && asked <= latest
    let lastSent = since === null ? latest : isKnown ? asked : 0
    /** Events that are not entries of the log. */
    let others = 'retry: 1000\n: the log of the mock\n\n'
    let wake = () => {}
    let end = () => {}

    const next = async (): Promise<string> => {
      for (;;) {
        const news = new Promise<void>((resolve) => {
          wake = resolve
        })
        let text = others
        others = ''
        for (const entry of await log.read({ since: lastSent, limit: maxRead })) {
          if (text.length > maxChunk) break
          text += eventOf(entry)
          lastSent = entry.id
        }
        if (text) return text
        await news
      }
    }

    const stream = new ReadableStream<Uint8Array>(
      {
        start(controller) {
          const tell = (event: string) => {
            if (!others.includes(event)) others += event
            wake()
          }
          const unsubscribes = [
            // An entry that was sent already has changed.
            log.subscribe((entry) => (entry.id <= lastSent ? tell(changedEvent(entry)) : wake())),
            onChange(() => tell('event: change\ndata: {}\n\n')),
          ]
          const heartbeat = setInterval(() => tell(': still here\n\n'), 15_000).unref()
          const disconnect = () => {
            end()
            controller.error(new Error('There are newer followers.'))
          }
          end = () => {
            for (const unsubscribe of unsubscribes) unsubscribe()
            clearInterval(heartbeat)
            followers.delete(disconnect)
          }
          const [oldest] = followers
          if (followers.size >= maxFollowers) oldest?.()
          followers.add(disconnect)
        },
        async pull(controller) {
          controller.enqueue(encoder.encode(await next()))
        },
        cancel: () => end(),
      },
      { highWaterMark: 0 },
    )
    return new Response(stream, {
      headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' },
    })
  }
}
