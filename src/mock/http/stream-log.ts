import type { Controls } from '../core/controls.js'
import type { MockHttpRequest } from '../core/mock-handler.js'
import type { LogEntry } from '../core/request-log.js'

/** So many events may wait to be read. */
const maxBehind = 5000

/**
 * The log as server-sent events: what happens from now on, or from after `last-event-id`, with `?since=0` all
 * that is kept. A comment now and then keeps the connection, until the client leaves.
 */
export async function streamLog(
  { headers, url }: MockHttpRequest,
  { log, onChange }: Controls,
): Promise<Response> {
  const since = headers.get('last-event-id') ?? url.searchParams.get('since')
  const entries = await log.read()
  const latest = entries.at(-1)?.id ?? 0
  // An id of an earlier run of the server: nothing of this run was seen.
  const seen = since === null ? latest : Number(since) > latest ? 0 : Number(since)

  let end = () => {}
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const encoder = new TextEncoder()
      const send = (text: string) => {
        // A client that does not read is sent away; it comes back and asks for what it missed.
        if ((controller.desiredSize ?? 0) < -maxBehind) {
          end()
          controller.error(new Error('The client does not keep up.'))
        } else {
          controller.enqueue(encoder.encode(`${text}\n\n`))
        }
      }
      const sendEntry = (entry: LogEntry) =>
        send(`event: request\nid: ${entry.id}\ndata: ${JSON.stringify(entry)}`)

      send('retry: 1000\n: the log of the mock')
      for (const entry of entries) if (entry.id > seen) sendEntry(entry)
      const ends = [log.subscribe(sendEntry), onChange(() => send('event: change\ndata: {}'))]
      const beat = setInterval(() => send(': still here'), 15_000).unref()
      end = () => {
        for (const unsubscribe of ends) unsubscribe()
        clearInterval(beat)
      }
    },
    cancel: () => end(),
  })
  return new Response(stream, {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' },
  })
}
