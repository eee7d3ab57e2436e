/** Amounts of TRX in text form. */

/**
 * @param text `10 TRX`, `0.5 TRX`, `1_000 sun`, or digits, which are sun
 * @returns sun; undefined for an invalid amount
 */
export function sunOfText(text: string): bigint | undefined {
  const match = /^(-?)([\d_]+)(?:\.(\d{1,6}))?\s*(TRX|sun)?$/i.exec(text.trim());
  if (match === null) return undefined;
  const [, sign, digits = '', fraction = '', unit = 'sun'] = match;
  const isTrx = unit.toUpperCase() === 'TRX';
  const bare = digits.replaceAll('_', '');
  if (bare === '' || (!isTrx && fraction !== '')) return undefined;
  const sun = isTrx ? BigInt(bare) * 1_000_000n + BigInt(fraction.padEnd(6, '0')) : BigInt(bare);
  return sign === '-' ? -sun : sun;
}

/** Whether an amount has digits only, without a unit. 0 needs none. */
export function lacksUnit(text: string): boolean {
  return /^-?[\d_]+$/.test(text.trim()) && sunOfText(text) !== 0n;
}

/** The advice for {@link lacksUnit}. */
export function unitHint(text: string | number): string {
  return `add the unit, ${text} TRX or ${text} sun`;
}

/** An amount of stake with its unit. The network counts stakes in whole TRX, so digits without a unit are TRX. */
export function stakeText(text: string): string {
  return lacksUnit(text) ? `${text} TRX` : text;
}
