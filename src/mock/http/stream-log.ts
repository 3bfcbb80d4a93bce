import type { Controls } from '../core/controls.js'
import type { LogEntry } from '../core/request-log.js'

/** The most events that may be queued for a client. */
const maxQueued = 5000

/**
 * Streams the log as server-sent events: new entries, those after `last-event-id`, or with `?since=0` all that are
 * stored. Comments keep the connection alive until the client disconnects.
 */
export async function streamLog({ headers, url }: Request, { log, onChange }: Controls): Promise<Response> {
  const since = headers.get('last-event-id') ?? new URL(url).searchParams.get('since')
  const entries = await log.read()
  const latest = entries.at(-1)?.id ?? 0
  // A greater id is from before a restart of the server: the client has seen nothing of this log.
  const lastSeen = since === null ? latest : Number(since) > latest ? 0 : Number(since)

  let stop = () => {}
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const encoder = new TextEncoder()
      const send = (text: string) => {
        // Disconnects a client that does not read; it reconnects and requests what it missed.
        if ((controller.desiredSize ?? 0) < -maxQueued) {
          stop()
          controller.error(new Error('The client does not keep up.'))
        } else {
          controller.enqueue(encoder.encode(`${text}\n\n`))
        }
      }
      const sendEntry = (entry: LogEntry) =>
        send(`event: request\nid: ${entry.id}\ndata: ${JSON.stringify(entry)}`)

      send('retry: 1000\n: the log of the mock')
      for (const entry of entries) if (entry.id > lastSeen) sendEntry(entry)
      const unsubscribes = [log.subscribe(sendEntry), onChange(() => send('event: change\ndata: {}'))]
      const heartbeat = setInterval(() => send(': still here'), 15_000).unref()
      stop = () => {
        for (const unsubscribe of unsubscribes) unsubscribe()
        clearInterval(heartbeat)
      }
    },
    cancel: () => stop(),
  })
  return new Response(stream, {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' },
  })
}
