export type Probe = {
  stop(): Promise<{ sent: number; refused: number; p99: number; longestMs: number }>
}
export function startProbe(
  url: URL | string,
  options?: { cookie?: string; pauseMs?: number; isKept?: boolean },
): Probe
