/** The environment variable of a flag: `--http-port` → `SUNUP_HTTP_PORT`. */
export function variableOf(flag: string): string {
  return `SUNUP_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`;
}
