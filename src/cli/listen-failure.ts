import { Failure } from './user-error.js'

/** Explains why a server could not listen, with a hint; returns any other error unchanged. */
export function listenFailure(error: unknown, host: string, port: number): unknown {
  const { code, name } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE' || name === 'PortTakenError') {
    return new Failure(
      `Port ${port} of ${host} is taken.`,
      'Stop the process that uses it, or choose another --port.',
    )
  }
  if (code === 'EACCES') {
    return new Failure(`This user may not listen on ${host}:${port}.`, 'Choose a --port of 1024 or more.')
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new Failure(`This machine has no address "${host}".`, 'Choose another --host, e.g. 127.0.0.1.')
  }
  return error
}
