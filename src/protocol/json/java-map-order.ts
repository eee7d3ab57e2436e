/**
 * The iteration order of Java's `HashMap`. java-tron's compact answers have their members in this order, and so do the
 * token maps of an account. Clients must not depend on it, but recorded answers do.
 */

/** Java's `String.hashCode()`. */
export function javaStringHash(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i += 1) {
    hash = (Math.imul(31, hash) + text.charCodeAt(i)) | 0;
  }
  return hash;
}

/** Capacity of a `HashMap` that grew from the default 16 to `size` keys: it doubles above three quarters. */
function javaMapCapacity(size: number): number {
  let capacity = 16;
  while (size > capacity * 0.75) {
    capacity *= 2;
  }
  return capacity;
}

/** Capacity of a `HashMap` copied from a map of `size`: `(int) (size / 0.75f + 1)`, rounded up to a power of two. */
export function javaCopiedMapCapacity(size: number): number {
  const wanted = Math.trunc(Math.fround(Math.fround(size / 0.75) + 1));
  let capacity = 1;
  while (capacity < wanted) capacity *= 2;
  return capacity;
}

/** Java's `Arrays.hashCode(byte[])`. */
export function javaBytesHash(bytes: Uint8Array): number {
  let hash = 1;
  for (const byte of bytes) {
    hash = (Math.imul(31, hash) + ((byte << 24) >> 24)) | 0;
  }
  return hash;
}

/** commons-lang's `ArrayUtils.hashCode(byte[])`, which java-tron's virtual machine uses as hash of accounts. */
export function javaArrayUtilsHash(bytes: Uint8Array): number {
  let hash = 17;
  for (const byte of bytes) {
    hash = (Math.imul(37, hash) + ((byte << 24) >> 24)) | 0;
  }
  return hash;
}

/** `hashCode()` of protobuf's `ByteString`: like an array's, but it starts with the length, and is never 0. */
export function javaByteStringHash(bytes: Uint8Array): number {
  let hash = bytes.length;
  for (const byte of bytes) {
    hash = (Math.imul(31, hash) + ((byte << 24) >> 24)) | 0;
  }
  return hash === 0 ? 1 : hash;
}

/** Positions in `keys`, in iteration order: by bucket, within a bucket by insertion. */
export function javaMapOrder(keys: readonly string[], capacity = javaMapCapacity(keys.length)): number[] {
  return javaMapOrderOfHashes(keys.map(javaStringHash), capacity);
}

const FEW_KEYS = 32;

/** Insertion sort: most objects have few members, and many objects may be printed at once. */
function orderOfFew(buckets: readonly number[]): number[] {
  const order: number[] = [];
  for (let i = 0; i < buckets.length; i += 1) {
    let at = i;
    for (; at > 0 && buckets[order[at - 1]!]! > buckets[i]!; at -= 1) order[at] = order[at - 1]!;
    order[at] = i;
  }
  return order;
}

/** The same for keys of any type, by their hash codes in insertion order. */
export function javaMapOrderOfHashes(hashes: readonly number[], capacity = javaMapCapacity(hashes.length)): number[] {
  const buckets = hashes.map((hash) => (hash ^ (hash >>> 16)) & (capacity - 1));
  if (hashes.length <= FEW_KEYS) return orderOfFew(buckets);
  // Number of keys in earlier buckets, and so the position of each bucket's first key: a client's object may have
  // 300,000 keys.
  const starts = new Uint32Array(capacity + 1);
  for (const bucket of buckets) starts[bucket + 1]! += 1;
  for (let i = 1; i <= capacity; i += 1) starts[i]! += starts[i - 1]!;
  const order = new Array<number>(hashes.length);
  buckets.forEach((bucket, i) => {
    order[starts[bucket]!] = i;
    starts[bucket]! += 1;
  });
  return order;
}

/**
 * The iteration order of a Java `ConcurrentHashMap`, by hash codes in insertion order. It doubles when three quarters
 * are reached, and doubling reverses parts of a bucket.
 */
export function javaConcurrentMapOrder(hashes: readonly number[]): number[] {
  let buckets: number[][] = Array.from({ length: 16 }, () => []);
  const spread = hashes.map((hash) => (hash ^ (hash >>> 16)) & 0x7fffffff);
  const isHigh = (at: number, size: number) => (spread[at]! & size) !== 0;
  spread.forEach((hash, at) => {
    buckets[hash & (buckets.length - 1)]!.push(at);
    if (at + 1 < buckets.length * 0.75) return;
    const size = buckets.length;
    const doubled: number[][] = Array.from({ length: size * 2 }, () => []);
    buckets.forEach((bucket, index) => {
      // The last run of keys for the same half moves unchanged; the keys before it are put in front, one by one.
      let run = bucket.length - 1;
      while (run > 0 && isHigh(bucket[run - 1]!, size) === isHigh(bucket[run]!, size)) run -= 1;
      const halfOf = (at: number) => doubled[isHigh(at, size) ? index + size : index]!;
      for (const key of bucket.slice(Math.max(run, 0))) halfOf(key).push(key);
      for (const key of bucket.slice(0, Math.max(run, 0))) halfOf(key).unshift(key);
    });
    buckets = doubled;
  });
  return buckets.flat();
}

/** Shared by all chains: the order depends only on the names. */
const orders = new Map<string, readonly number[]>();
const MAXIMUM_REMEMBERED = 4096;

/**
 * {@link javaMapOrder}, cached by key sequence: there are few forms of messages, which are printed often. Not for key
 * names from clients, which could fill the memory.
 */
export function javaMapOrderOfShape(keys: readonly string[]): readonly number[] {
  const shape = keys.join(' ');
  let order = orders.get(shape);
  if (order === undefined) {
    order = javaMapOrder(keys);
    if (orders.size < MAXIMUM_REMEMBERED) {
      orders.set(shape, order);
    }
  }
  return order;
}
