/**
 * The order in which a Java `HashMap` gives its keys. Every compact answer of java-tron is such a walk
 * (protocol/http.md 3.3), so are the token maps of an account; clients must not depend on it, golden files do.
 */

/** Java's `String.hashCode()`. */
export function javaStringHash(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i += 1) {
    hash = (Math.imul(31, hash) + text.charCodeAt(i)) | 0;
  }
  return hash;
}

/** Capacity of a `HashMap` that grew from the default 16 to hold `size` keys: it doubles beyond three quarters. */
function javaMapCapacity(size: number): number {
  let capacity = 16;
  while (size > capacity * 0.75) {
    capacity *= 2;
  }
  return capacity;
}

/** Capacity of a `HashMap` that was made by copying a map of `size`: `(int) (size / 0.75f + 1)`, to a power of two. */
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

/** commons-lang's `ArrayUtils.hashCode(byte[])`, by which the machine of java-tron keeps accounts. */
export function javaArrayUtilsHash(bytes: Uint8Array): number {
  let hash = 17;
  for (const byte of bytes) {
    hash = (Math.imul(37, hash) + ((byte << 24) >> 24)) | 0;
  }
  return hash;
}

/** `hashCode()` of protobuf's `ByteString`: as of an array, but it begins with the length, and is never 0. */
export function javaByteStringHash(bytes: Uint8Array): number {
  let hash = bytes.length;
  for (const byte of bytes) {
    hash = (Math.imul(31, hash) + ((byte << 24) >> 24)) | 0;
  }
  return hash === 0 ? 1 : hash;
}

/** Positions into `keys`, reordered as the map walks them: by bucket, within a bucket as inserted. */
export function javaMapOrder(keys: readonly string[], capacity = javaMapCapacity(keys.length)): number[] {
  return javaMapOrderOfHashes(keys.map(javaStringHash), capacity);
}

const FEW_KEYS = 32;

/** By insertion: most objects have a handful of members, and many may be printed at once. */
function orderOfFew(buckets: readonly number[]): number[] {
  const order: number[] = [];
  for (let i = 0; i < buckets.length; i += 1) {
    let at = i;
    for (; at > 0 && buckets[order[at - 1]!]! > buckets[i]!; at -= 1) order[at] = order[at - 1]!;
    order[at] = i;
  }
  return order;
}

/** The same for keys of any kind, by their hash codes in order of insertion. */
export function javaMapOrderOfHashes(hashes: readonly number[], capacity = javaMapCapacity(hashes.length)): number[] {
  const buckets = hashes.map((hash) => (hash ^ (hash >>> 16)) & (capacity - 1));
  if (hashes.length <= FEW_KEYS) return orderOfFew(buckets);
  // How many keys lie in the buckets before each, and so where its first key goes: a client's object may have 300,000.
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
 * The order in which a Java `ConcurrentHashMap` gives its keys, by their hash codes in order of insertion. It doubles as
 * soon as three quarters are reached, and doubling turns parts of a bucket around.
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
      // The last run of keys that go to the same half moves as it is; the keys before it are put in front, one by one.
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

/** Shared by all chains: the order follows from the names alone. */
const orders = new Map<string, readonly number[]>();
const MAXIMUM_REMEMBERED = 4096;

/**
 * {@link javaMapOrder} remembered by key sequence: the shapes of messages are few and are printed over and over.
 * Key names that clients choose must not come here, or they would fill the memory.
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
