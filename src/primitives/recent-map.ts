/**
 * A map of bounded size: the oldest entry is removed first. To keep an entry after a read, set it again. Own code,
 * because JavaScript's maps are ordered: `lru-cache` would add 20 kB and use the machine's clock.
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
