export type ProxyProgram = 'nginx' | 'caddy' | 'haproxy'
export function notInstalled(program: ProxyProgram): string | undefined
export function startProxy(
  program: ProxyProgram,
  nodes: readonly string[],
  setting: { folder: string; onEnd(end: () => Promise<void>): void },
): Promise<string>
