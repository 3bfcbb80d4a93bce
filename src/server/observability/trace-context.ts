/** Version, trace id, parent id and flags. Later versions may append more; `ff` and ids of zeros are not valid. */
const form = /^(?!ff|00.{54})[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}(?:-|$)/

/**
 * Reads a `traceparent` header (W3C Trace Context, section 3.2).
 * @returns the ids of the trace and of the caller's span; undefined for a missing, invalid or repeated header
 */
export function readTraceContext(traceparent: string | string[] | undefined) {
  const [, traceId, parentSpanId] = form.exec(String(traceparent ?? '')) ?? []
  return traceId && parentSpanId ? { traceId, parentSpanId } : undefined
}
