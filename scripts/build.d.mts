/** Builds what is missing; the path of the command. */
export function buildIfStale(options?: { readonly declarations?: boolean }): Promise<string>;
export function build(options: { readonly declarations: boolean }): Promise<void>;
