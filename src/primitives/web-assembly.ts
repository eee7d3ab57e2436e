/** The used part of WebAssembly, all of it synchronous: Node's types declare it without its constructors. */

export interface WebAssemblyMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

interface Constructors {
  readonly Memory: new (limits: { readonly initial: number }) => WebAssemblyMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (compiled: object, imports: object) => { readonly exports: unknown };
}

export const { Memory, Module, Instance } = (globalThis as unknown as { readonly WebAssembly: Constructors })
  .WebAssembly;
