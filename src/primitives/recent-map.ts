/**
 * A map of bounded size: what was set longest ago goes first. Whoever wants what was read lately to stay sets it again.
 *
 * Ours, because JavaScript's maps keep their order: `lru-cache` would bring 20 kB, and a clock of the machine's.
 */
export class RecentMap<Key, Value> extends Map<Key, Value> {
  constructor(private readonly most: number) {
    super();
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    if (this.size > this.most) this.delete(this.keys().next().value as Key);
    return this;
  }
}
