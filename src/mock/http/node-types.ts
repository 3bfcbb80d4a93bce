import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import type { Readable, Writable } from 'node:stream'

/** A request to a Node server, over HTTP/1.1 or HTTP/2, which has a stream. */
export type NodeRequest = Readable &
  Pick<
    IncomingMessage,
    'aborted' | 'complete' | 'headers' | 'httpVersion' | 'method' | 'rawHeaders' | 'socket' | 'url'
  > & { stream?: Pick<ServerHttp2Stream, 'readableEnded'> }

/** The response. Over HTTP/2 it has a stream, and `setHeader` returns nothing. */
export type NodeResponse = Writable &
  Pick<ServerResponse, 'socket' | 'statusCode' | 'statusMessage'> & {
    removeHeader(name: string): unknown
    setHeader(name: string, value: string | readonly string[]): unknown
    stream?: Pick<ServerHttp2Stream, 'aborted' | 'close' | 'destroyed' | 'rstCode'>
  }
