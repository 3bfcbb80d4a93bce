import { createPrivateKey, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { Certificate } from '../mock/http/listen.js'
import { readInput } from './files.js'
import { UserError } from './user-error.js'

const hint = 'mkcert writes both files for this machine: mkcert localhost 127.0.0.1 ::1'

/**
 * Reads the certificate of a server and its key.
 * @param name the name or address to serve
 * @returns both, and a notice if the certificate is not for the name
 * @throws UserError if one of them is missing or not in PEM, they do not belong together, or the certificate is not valid now
 */
export async function readCertificate(
  { cert, key }: { cert?: string; key?: string },
  name: string,
): Promise<{ tls?: Certificate; notice?: string }> {
  if (cert === undefined && key === undefined) return {}
  if (cert === undefined || key === undefined) throw new UserError('--cert and --key need each other.', hint)
  const tls = {
    cert: await readInput(cert, { name: `The certificate ${cert}`, hint }),
    key: await readInput(key, { name: `The key ${key}`, hint }),
  }
  const certificate = parse(cert, () => new X509Certificate(tls.cert))
  const privateKey = parse(key, () => createPrivateKey(tls.key))
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new UserError(`The key ${key} is not that of the certificate ${cert}.`, hint)
  }
  const { validFrom, validTo } = certificate
  const now = Date.now()
  if (Date.parse(validTo) < now) throw new UserError(`The certificate ${cert} has expired: ${validTo}.`, hint)
  if (Date.parse(validFrom) > now)
    throw new UserError(`The certificate ${cert} is valid from ${validFrom}.`, hint)
  const isFor = isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)
  return { tls, notice: isFor ? undefined : `The certificate is not for ${name}: browsers refuse it there.` }
}

function parse<Parsed>(file: string, read: () => Parsed): Parsed {
  try {
    return read()
  } catch (error) {
    throw new UserError(`${file} cannot be read as PEM: ${(error as Error).message}.`, hint)
  }
}
