import type { FastifyReply } from 'fastify'

/** nginx reads the headers of a response into a buffer of 4 KiB by default. Node and Fastify add some to those counted. */
const maxHeaderChars = 3_600

/**
 * Whether the headers of a response fit the default buffers of proxies, which otherwise reply 502.
 * @param more the length of the headers that follow, in characters
 */
export function hasHeaderRoom(reply: FastifyReply, more: number): boolean {
  const lines = Object.entries(reply.getHeaders()).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}: ${value}\r\n`),
  )
  return lines.join('').length + more <= maxHeaderChars
}
