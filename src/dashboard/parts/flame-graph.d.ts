/** What is used of `d3-flame-graph`, which has no types. */
declare module 'd3-flame-graph' {
  import type { Selection } from 'd3-selection';

  interface Datum {
    readonly name: string;
    readonly value: number;
    readonly children: readonly Datum[];
  }

  interface FlameGraph {
    (selection: Selection<HTMLElement, Datum, null, undefined>): void;
    width(px: number): this;
    cellHeight(px: number): this;
    minFrameSize(px: number): this;
    transitionDuration(ms: number): this;
    inverted(isInverted: boolean): this;
    selfValue(isSelf: boolean): this;
    label(text: (node: { readonly data: Datum }) => string): this;
    setColorMapper(
      color: (node: { readonly data: Datum; readonly highlight?: boolean }, original: string) => string,
    ): this;
    resetZoom(): void;
    destroy(): void;
  }

  // biome-ignore lint/style/noDefaultExport: the package has no other
  export default function flamegraph(): FlameGraph;
}
