/**
 * Names of the contract types that a permission allows. Bit n of `operations` (byte n / 8, bit n % 8 from the low end) is
 * contract type n.
 *
 * @param operations bytes in hex
 * @param numbers number of each type by its name
 * @example contractTypesIn('02', { TransferContract: 1 }) // ['Transfer']
 */
export function contractTypesIn(operations: string, numbers: Readonly<Record<string, number>>): readonly string[] {
  const names = new Map(Object.entries(numbers).map(([name, number]) => [number, name.replace(/Contract$/, '')]));
  const bytes = (operations.match(/../g) ?? []).map((digits) => Number.parseInt(digits, 16));
  return bytes.flatMap((byte, place) =>
    Array.from({ length: 8 }, (_, bit) => bit)
      .filter((bit) => (byte >> bit) & 1)
      .map((bit) => names.get(place * 8 + bit) ?? `type ${place * 8 + bit}`),
  );
}
