import { execFileSync } from 'node:child_process'

/** Makes a certificate in a folder, as mkcert writes it: NAME.pem and NAME-key.pem. */
export function certify(cwd: string, name: string): void {
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'.split(' ')
  const files = ['-keyout', `${name}-key.pem`, '-out', `${name}.pem`]
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]
  execFileSync('openssl', ['req', '-x509', ...key, ...files, '-days', '2', ...subject], {
    cwd,
    stdio: 'pipe',
  })
}
