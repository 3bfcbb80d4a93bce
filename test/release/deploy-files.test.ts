import { readdirSync, readFileSync } from 'node:fs'
import { Deployment } from 'kubernetes-models/apps/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { Service } from 'kubernetes-models/v1'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments, parseDocument } from 'yaml'
import { settingSchemas } from '../../src/server/settings/setting-schemas.js'
import {
  type Setting,
  settingNames,
  settingsTable,
  settingVariables,
} from '../../src/server/settings/settings-table.js'

const read = (file: string) => readFileSync(file, 'utf8')
const files = ['Containerfile', ...readdirSync('deploy').map((name) => `deploy/${name}`)]

/** How long a node may take to stop after the drain delay, in seconds: see docs/operations.md. */
const stopSeconds = 10

describe('the files for deployments', () => {
  it.each(files)('%s names settings that exist', (file) => {
    const names = read(file).match(/DASHBOARD_API_\w+/g) ?? []
    expect(names.filter((name) => !settingVariables.includes(name))).toEqual([])
  })

  it('use the port of the image', () => {
    const [, port = ''] = /^EXPOSE (\d+)$/m.exec(read('Containerfile')) ?? []
    expect(settingsTable.port.default).toBe(port)
    for (const file of ['deploy/nginx.conf', 'deploy/haproxy.cfg', 'deploy/Caddyfile']) {
      expect(read(file)).toMatch(new RegExp(`(127\\.0\\.0\\.1|node-1):${port}\\b`))
    }
  })

  it('build an image without files of the host', () => {
    expect(read('.dockerignore').split('\n')).toEqual(
      expect.arrayContaining(['**/node_modules/', 'data/', 'deploy/database-password']),
    )
  })
})

/** The settings with refused values in an environment. */
const refused = (env: Record<string, string>) =>
  Object.entries(env).filter(([name, value]) => {
    const setting = settingNames.find((each) => settingsTable[each].env === name)
    return !setting || !settingSchemas[setting].safeParse(value).success
  })

const secondsOf = (text = '') => Number(/^(\d+)s$/.exec(text)?.[1])

describe('deploy/compose.yaml', () => {
  const document = parseDocument(read('deploy/compose.yaml'), { merge: true })
  const { services, secrets, networks } = document.toJS()
  const nodes = ['node-1', 'node-2', 'node-3'].map((name) => services[name])

  it('is well-formed', () => {
    expect([...document.errors, ...document.warnings]).toEqual([])
  })

  it('has settings that serve accepts', () => {
    for (const { environment } of nodes) {
      expect(environment).toHaveProperty('DASHBOARD_API_SESSION_SECRET')
      const { DASHBOARD_API_SESSION_SECRET: _, ...others } = environment
      expect(refused(others)).toEqual([])
    }
  })

  it('gives the nodes time to stop, and trusts only the network of the proxy', () => {
    for (const { environment, stop_grace_period } of nodes) {
      const drain = secondsOf(environment.DASHBOARD_API_DRAIN_DELAY)
      expect(secondsOf(stop_grace_period)).toBeGreaterThanOrEqual(drain + stopSeconds)
      expect(environment.DASHBOARD_API_TRUST_PROXY).toBe(networks.internal.ipam.config[0].subnet)
    }
  })

  it('names images with their versions, declared secrets, and the nodes of haproxy.cfg', () => {
    const images = [services.database.image, services.proxy.image]
    for (const image of images) expect(image).toMatch(/^[\w./-]+:\d[\w.]*$/)
    for (const service of [...nodes, services.database]) {
      expect(Object.keys(secrets)).toEqual(service.secrets)
    }
    const servers = [...read('deploy/haproxy.cfg').matchAll(/^ {2}server (\S+) \1:8080$/gm)]
    expect(servers.map(([, name]) => name)).toEqual(
      Object.keys(services).filter((name) => /^node-/.test(name)),
    )
  })

  it('has a longer drain delay than two health checks of HAProxy', () => {
    const [, every] = /check inter (\S+)/.exec(read('deploy/haproxy.cfg')) ?? []
    const delay = secondsOf(nodes[0].environment.DASHBOARD_API_DRAIN_DELAY)
    expect(delay).toBeGreaterThan(2 * secondsOf(every))
  })
})

describe('deploy/kubernetes.yaml', () => {
  const documents = parseAllDocuments(read('deploy/kubernetes.yaml'))
  const [deployment, service, budget] = documents.map((document) => document.toJS())
  const { spec: pod } = deployment.spec.template
  const [container] = pod.containers
  const env: Record<string, string> = Object.fromEntries(
    container.env.map(({ name, value }: { name: string; value?: string }) => [name, value]),
  )

  it('is well-formed, and valid by the schemas of Kubernetes', () => {
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([])
    new Deployment(deployment).validate()
    new Service(service).validate()
    new PodDisruptionBudget(budget).validate()
    expect(() => new Service({ ...service, spec: { ports: [{ port: '80' }] } }).validate()).toThrow('port')
  })

  it('has settings that serve accepts, and no secret among them', () => {
    const given = Object.entries(env).filter(([, value]) => value !== undefined) as [string, string][]
    expect(refused(Object.fromEntries(given))).toEqual([])
    const secrets = Object.values<Setting>(settingsTable).flatMap(({ env, secret }): string[] =>
      secret ? [env] : [],
    )
    expect(given.filter(([name]) => secrets.includes(name))).toEqual([])
    expect(Object.keys(env)).toContain(settingsTable.sessionSecret.env)
  })

  it('does not let variables that Kubernetes creates for its Service override settings', () => {
    const variable = `${service.metadata.name.toUpperCase().replaceAll('-', '_')}_PORT`
    expect(settingVariables).toContain(variable)
    expect(pod.enableServiceLinks).toBe(false)
  })

  it('probes the paths for monitoring, and gives the nodes time to stop', () => {
    const probes = ['startupProbe', 'readinessProbe', 'livenessProbe'].map(
      (name) => container[name].httpGet.path,
    )
    expect(probes).toEqual(['/healthz', '/readyz', '/healthz'])
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
      secondsOf(env.DASHBOARD_API_DRAIN_DELAY) + stopSeconds,
    )
  })

  it('selects the same pods everywhere, and lets one of them stop', () => {
    const labels = { app: 'dashboard-api' }
    expect(deployment.spec.template.metadata.labels).toEqual(labels)
    const selectors = [deployment.spec.selector.matchLabels, service.spec.selector]
    expect([...selectors, budget.spec.selector.matchLabels]).toEqual([labels, labels, labels])
    expect(budget.spec.minAvailable).toBeLessThan(deployment.spec.replicas)
    expect(service.spec.ports[0].targetPort).toBe(container.ports[0].name)
  })
})
