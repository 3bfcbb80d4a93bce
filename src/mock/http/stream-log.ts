import type { Controls } from '../core/controls.js'
import type { LogEntry } from '../core/request-log.js'

/** The most followers of a server. For one more, the one that has followed longest is disconnected. */
const maxFollowers = 50

/** How far a follower may be behind, in characters of the log. Beyond, it is disconnected. */
const maxBehind = 1024 * 1024

/** How many bytes are sent at a time. The log holds the rest, once for all followers. */
const maxChunk = 16 * 1024

/** How many entries are read at a time: a chunk has some 30. */
const maxRead = 32

const eventOf = (entry: LogEntry) => `event: request\nid: ${entry.id}\ndata: ${JSON.stringify(entry)}\n\n`
const changeEvent = 'event: change\ndata: {}\n\n'

const encoder = new TextEncoder()
const encode = (text: string) => encoder.encode(text)

/**
 * Streams the log as server-sent events: new entries, those after `last-event-id`, or with `?since=0` all that are
 * stored. Comments keep the connection alive until the client disconnects. A disconnected EventSource connects again
 * and requests what it missed.
 */
export function createLogStreams(): (request: Request, controls: Controls) => Promise<Response> {
  /** Disconnects each follower, the oldest first. */
  const followers = new Set<() => void>()

  return async ({ headers, url }, { log, onChange }) => {
    const since = headers.get('last-event-id') ?? new URL(url).searchParams.get('since')
    const latest = (await log.read()).at(-1)?.id ?? 0
    // A greater id is from before a restart of the server: the client has seen nothing of this log.
    let lastSent = since === null ? latest : Number(since) > latest ? 0 : Number(since)
    let pending = encode('retry: 1000\n: the log of the mock\n\n')
    let behind = 0
    let hasNews = false
    /** Events that are not entries of the log. */
    let others = ''
    let end = () => {}
    let wake = () => {}
    const notify = () => {
      hasNews = true
      wake()
    }

    /** Returns the next events; empty if there are none. */
    const read = async (): Promise<string> => {
      hasNews = false
      let text = ''
      for (;;) {
        const entries = await log.read(lastSent, maxRead)
        for (const entry of entries) {
          if (text.length > maxChunk) return text
          text += eventOf(entry)
          lastSent = entry.id
          if (entry.id > latest) behind -= entry.curl.length
        }
        if (entries.length < maxRead) break
      }
      behind = 0
      text += others
      others = ''
      return text
    }
    const next = async (): Promise<string> => {
      for (;;) {
        const text = await read()
        if (text) return text
        if (hasNews) continue
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }

    const stream = new ReadableStream<Uint8Array>(
      {
        start(controller) {
          const disconnect = () => {
            end()
            controller.error(new Error('The client does not keep up.'))
          }
          const unsubscribes = [
            log.subscribe((entry) => {
              behind += entry.curl.length
              if (behind > maxBehind) disconnect()
              else notify()
            }),
            onChange(() => {
              others = changeEvent
              notify()
            }),
          ]
          const heartbeat = setInterval(() => {
            others ||= ': still here\n\n'
            notify()
          }, 15_000).unref()
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
          if (pending.length === 0) pending = encode(await next())
          controller.enqueue(pending.subarray(0, maxChunk))
          pending = pending.subarray(maxChunk)
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
