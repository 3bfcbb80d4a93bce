import { Failure } from '../user-error.js'

/** Why a server could not listen, said so that the reader can do something about it; a bug stays one. */
export function listenFailure(error: unknown, host: string, port: number): unknown {
  const { code, name } = error as NodeJS.ErrnoException
  const at = `${host}:${port}`
  if (code === 'EADDRINUSE' || name === 'PortTakenError') {
    return new Failure(
      `Port ${port} of ${host} is taken.`,
      'End what listens there, or choose another --port.',
    )
  }
  if (code === 'EACCES') {
    return new Failure(`This user may not listen on ${at}.`, 'Choose a --port of 1024 or more.')
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new Failure(`This machine has no address "${host}".`, 'Choose another --host, e.g. 127.0.0.1.')
  }
  return error
}
