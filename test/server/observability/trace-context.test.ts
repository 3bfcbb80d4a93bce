import { describe, expect, it } from 'vitest'
import { readTraceContext } from '../../../src/server/observability/trace-context.js'

describe('the trace of a request', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const parentSpanId = '00f067aa0ba902b7'
  const valid = `00-${traceId}-${parentSpanId}-01`

  it.each([
    valid,
    `00-${traceId}-${parentSpanId}-00`,
    // A later version, with additional fields.
    `01-${traceId}-${parentSpanId}-01`,
    `cc-${traceId}-${parentSpanId}-01-what-follows`,
  ])('is read from %s', (traceparent) => {
    expect(readTraceContext(traceparent)).toEqual({ traceId, parentSpanId })
  })

  it.each([
    undefined,
    '',
    valid.toUpperCase(),
    ` ${valid}`,
    `${valid}-`,
    `${valid}-more`,
    `${valid},${valid}`,
    [valid, valid],
    valid.slice(0, -1),
    valid.replace('00-', '0-'),
    valid.replace('00-', 'ff-'),
    valid.replace('00-', '0g-'),
    valid.replaceAll('-', ''),
    `01-${traceId}-${parentSpanId}-01.more`,
    `00-${'0'.repeat(32)}-${parentSpanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.slice(1)}-${parentSpanId}-01`,
    `00-${traceId}g-${parentSpanId}-01`,
    `00-${traceId}-${parentSpanId}\n-01`,
  ])('is not read from %j', (traceparent) => {
    expect(readTraceContext(traceparent)).toBeUndefined()
  })
})
