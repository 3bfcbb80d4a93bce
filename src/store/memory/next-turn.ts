const waiting: (() => void)[] = []

/** A message arrives in a later turn of the event loop. Fake timers do not replace it. */
const channel = openChannel()

function openChannel() {
  if (!('MessageChannel' in globalThis)) return undefined
  // A port of Node would keep the process alive while a message is under way.
  const { port1, port2 } = new MessageChannel() as Record<'port1' | 'port2', MessagePort & NodePort>
  port1.onmessage = () => {
    if (waiting.length === 1) port1.unref?.()
    waiting.shift()?.()
  }
  port1.unref?.()
  return { port1, port2 }
}

type NodePort = { ref?(): void; unref?(): void }

/** In an environment without messages, such as jsdom, this many microtasks replace a turn. */
const microtasks = 100

/**
 * Lets other requests run before an insert, as a database does, so that two concurrent creations of one name can both succeed
 * (4.1, rule 2). It uses no timer, since a test may replace timers.
 */
export async function nextTurn(): Promise<void> {
  if (!channel) {
    for (let i = 0; i < microtasks; i += 1) await undefined
    return
  }
  channel.port1.ref?.()
  const turn = new Promise<void>((resolve) => waiting.push(resolve))
  channel.port2.postMessage(undefined)
  await turn
}
