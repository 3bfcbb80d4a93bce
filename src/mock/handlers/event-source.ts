/** The loads that need the class now. */
let loads = 0

/**
 * Sees to it that there is a class `EventSource`: without one MSW's `sse` throws as soon as a handler is made, although a server
 * needs no such class, and Node has it behind a flag. MSW has no option for that, and the modules of handlers are evaluated between
 * turns of the event loop. So the class is global until the last concurrent load has ended.
 * @returns ends the need, to be called once
 */
export function provideEventSource(): () => void {
  if (loads === 0 && 'EventSource' in globalThis) return () => {}
  if (loads === 0) Object.assign(globalThis, { EventSource: EventTarget })
  loads += 1
  return () => {
    loads -= 1
    if (loads === 0) Reflect.deleteProperty(globalThis, 'EventSource')
  }
}
