// The health check of the image: exits with 0 while the service in the container responds, on the address of its settings.
import { get } from 'node:http'

const { DASHBOARD_API_HOST: host, DASHBOARD_API_PORT: port } = process.env
const request = get({ host, port, path: '/healthz', timeout: 4_000 }, ({ statusCode }) =>
  process.exit(statusCode === 200 ? 0 : 1),
)
request.once('timeout', () => process.exit(1)).once('error', () => process.exit(1))
