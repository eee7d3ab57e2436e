/**
 * `StrictMath.pow`: x to the power y as fdlibm computes it (protocol/energy-factor.md#arithmetic-notes), the one
 * elementary function of the protocol whose result depends on the implementation. The network uses it for the decay of
 * dynamic energy and in the exchange; V8's own `Math.pow` differs from it in the last bit for some arguments.
 *
 * The method, after the published description: log2(x) as a sum of two doubles of which the first has 21 trailing
 * zero bits, so that its product with the upper half of y is exact; then 2 to that power by a rational approximation.
 * The polynomial coefficients are what defines the result, hence the literal constants. Order of operations matters in
 * every line: nothing may be re-associated.
 */

const float = new Float64Array(1);
const words = new Uint32Array(float.buffer);
const HIGH = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 1 : 0;
const LOW = 1 - HIGH;

/** The upper 32 bits of a double, signed. */
function highWord(x: number): number {
  float[0] = x;
  return (words[HIGH] as number) | 0;
}

function lowWord(x: number): number {
  float[0] = x;
  return words[LOW] as number;
}

function withHighWord(x: number, high: number): number {
  float[0] = x;
  words[HIGH] = high;
  return float[0] as number;
}

/** x cut to its upper word: the product of two such numbers is exact. */
function upperHalf(x: number): number {
  float[0] = x;
  words[LOW] = 0;
  return float[0] as number;
}

const TWO_TO_53 = 2 ** 53;

/** log2 of 1.5, split. */
const LOG2_OF_1_5_HIGH = 0.5849624872207642;
const LOG2_OF_1_5_LOW = 1.350039202129749e-8;

/** 2 / (3 ln 2), whole and split. */
const TWO_THIRDS_OF_LOG2_E = 0.9617966939259756;
const TWO_THIRDS_OF_LOG2_E_HIGH = 0.9617967009544373;
const TWO_THIRDS_OF_LOG2_E_LOW = -7.028461650952758e-9;

/** 1 / ln 2, whole and split. */
// biome-ignore lint/suspicious/noApproximativeNumericConstant: every bit is part of the definition of the function
const LOG2_E = 1.4426950408889634;
const LOG2_E_HIGH = 1.4426950216293335;
const LOG2_E_LOW = 1.9259629911266175e-8;

/** ln 2, whole and split. */
// biome-ignore lint/suspicious/noApproximativeNumericConstant: every bit is part of the definition of the function
const LN_2 = 0.6931471805599453;
const LN_2_HIGH = 0.6931471824645996;
const LN_2_LOW = -1.904654299957768e-9;

/** 1024 - log2(largest double + half a unit in its last place), negated. */
const OVERFLOW_MARGIN = 8.008566259537294e-17;

/** 2^n for an exponent of the normal range, exactly. */
function powerOfTwo(n: number): number {
  return withHighWord(0, (n + 1023) << 20);
}

/** `Math.scalb` into the subnormal range: only the last multiplication rounds. */
function scaleDown(z: number, n: number): number {
  return n < -1000 ? z * powerOfTwo(n + 1000) * powerOfTwo(-1000) : z * powerOfTwo(n);
}

/** How y counts when the base is negative: 0 not an integer, 1 odd, 2 even. */
function parity(y: number): 0 | 1 | 2 {
  if (!Number.isInteger(y)) return 0;
  return Math.abs(y % 2) === 1 ? 1 : 2;
}

/**
 * Java's `StrictMath.pow(x, y)`, bit for bit.
 *
 * @example strictPow(0.95, 10) // one unit in the last place away from Math.pow(0.95, 10) in V8
 */
export function strictPow(x: number, y: number): number {
  if (y === 0) return 1;
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  if (y === 2) return x * x;
  if (y === 0.5 && x >= -Number.MAX_VALUE) return Math.sqrt(x + 0);
  if (y === 1) return x;
  if (y === -1) return 1 / x;

  const magnitude = Math.abs(x);
  if (y === Number.POSITIVE_INFINITY || y === Number.NEGATIVE_INFINITY) {
    if (magnitude === 1) return Number.NaN;
    return magnitude > 1 === y > 0 ? Number.POSITIVE_INFINITY : 0;
  }

  const negative = x < 0 || Object.is(x, -0);
  const yParity = negative ? parity(y) : 2;
  if (magnitude === 0 || magnitude === Number.POSITIVE_INFINITY || magnitude === 1) {
    const power = y < 0 ? 1 / magnitude : magnitude;
    if (!negative) return power;
    if (magnitude === 1 && yParity === 0) return Number.NaN;
    return yParity === 1 ? -power : power;
  }
  if (negative && yParity === 0) return Number.NaN;
  const sign = negative && yParity === 1 ? -1 : 1;

  // log2(|x|) = logHigh + logLow
  let logHigh: number;
  let logLow: number;
  if (highWord(Math.abs(y)) > 0x41e00000) {
    // |y| is beyond about 2^31: only a base next to 1 gives anything but 0 or infinity.
    if (highWord(magnitude) < 0x3fefffff) return sign * (y < 0 ? Number.POSITIVE_INFINITY : 0);
    if (highWord(magnitude) > 0x3ff00000) return sign * (y > 0 ? Number.POSITIVE_INFINITY : 0);
    const t = magnitude - 1;
    const w = t * t * (0.5 - t * (0.3333333333333333 - t * 0.25));
    const u = LOG2_E_HIGH * t;
    const v = t * LOG2_E_LOW - w * LOG2_E;
    logHigh = upperHalf(u + v);
    logLow = v - (logHigh - u);
  } else {
    let mantissa = magnitude;
    let exponent = 0;
    if (highWord(mantissa) < 0x00100000) {
      mantissa *= TWO_TO_53;
      exponent -= 53;
    }
    let high = highWord(mantissa);
    exponent += (high >> 20) - 0x3ff;
    const fraction = high & 0x000fffff;
    high = fraction | 0x3ff00000;
    // Scale to [sqrt(3)/2, sqrt(3)) and expand about 1 or about 1.5.
    const aboutThreeHalves = fraction > 0x3988e && fraction < 0xbb67a;
    if (fraction >= 0xbb67a) {
      exponent += 1;
      high -= 0x00100000;
    }
    mantissa = withHighWord(mantissa, high);
    const centre = aboutThreeHalves ? 1.5 : 1;

    // s = (mantissa - centre) / (mantissa + centre), split into sHigh + sLow
    const difference = mantissa - centre;
    const reciprocal = 1 / (mantissa + centre);
    const s = difference * reciprocal;
    const sHigh = upperHalf(s);
    const sumHigh = withHighWord(0, ((high >> 1) | 0x20000000) + 0x00080000 + (aboutThreeHalves ? 1 << 18 : 0));
    const sumLow = mantissa - (sumHigh - centre);
    const sLow = reciprocal * (difference - sHigh * sumHigh - sHigh * sumLow);

    const sSquared = s * s;
    let rest =
      sSquared *
      sSquared *
      (0.5999999999999946 +
        sSquared *
          (0.4285714285785502 +
            sSquared *
              (0.33333332981837743 +
                sSquared * (0.272728123808534 + sSquared * (0.23066074577556175 + sSquared * 0.20697501780033842)))));
    rest += sLow * (sHigh + s);
    const sHighSquared = sHigh * sHigh;
    const seriesHigh = upperHalf(3 + sHighSquared + rest);
    const seriesLow = rest - (seriesHigh - 3 - sHighSquared);

    // (sHigh + sLow) * (seriesHigh + seriesLow), then times 2 / (3 ln 2)
    const u = sHigh * seriesHigh;
    const v = sLow * seriesHigh + seriesLow * s;
    const productHigh = upperHalf(u + v);
    const productLow = v - (productHigh - u);
    const zHigh = TWO_THIRDS_OF_LOG2_E_HIGH * productHigh;
    const zLow =
      TWO_THIRDS_OF_LOG2_E_LOW * productHigh +
      productLow * TWO_THIRDS_OF_LOG2_E +
      (aboutThreeHalves ? LOG2_OF_1_5_LOW : 0);
    const centreLog = aboutThreeHalves ? LOG2_OF_1_5_HIGH : 0;
    logHigh = upperHalf(zHigh + zLow + centreLog + exponent);
    logLow = zLow - (logHigh - exponent - centreLog - zHigh);
  }

  // y * log2(|x|) = high + low
  const yHigh = upperHalf(y);
  const low = (y - yHigh) * logHigh + y * logLow;
  let high = yHigh * logHigh;
  const total = low + high;
  const totalHighWord = highWord(total);
  const totalLowWord = lowWord(total);
  if (totalHighWord >= 0x40900000) {
    if (totalHighWord !== 0x40900000 || totalLowWord !== 0) return sign * Number.POSITIVE_INFINITY;
    if (low + OVERFLOW_MARGIN > total - high) return sign * Number.POSITIVE_INFINITY;
  } else if ((totalHighWord & 0x7fffffff) >= 0x4090cc00) {
    if (totalHighWord !== (0xc090cc00 | 0) || totalLowWord !== 0) return sign * 0;
    if (low <= total - high) return sign * 0;
  }

  // 2^(high + low): take the nearest integer out, then a rational approximation of the rest.
  let whole = 0;
  const magnitudeWord = totalHighWord & 0x7fffffff;
  if (magnitudeWord > 0x3fe00000) {
    const rounded = (totalHighWord + (0x00100000 >> ((magnitudeWord >> 20) - 0x3ff + 1))) | 0;
    const exponent = ((rounded & 0x7fffffff) >> 20) - 0x3ff;
    const integer = withHighWord(0, rounded & ~(0x000fffff >> exponent));
    whole = ((rounded & 0x000fffff) | 0x00100000) >> (20 - exponent);
    if (totalHighWord < 0) whole = -whole;
    high -= integer;
  }
  const t = upperHalf(low + high);
  const u = t * LN_2_HIGH;
  const v = (low - (t - high)) * LN_2 + t * LN_2_LOW;
  const z = u + v;
  const w = v - (z - u);
  const zz = z * z;
  const series =
    z -
    zz *
      (0.16666666666666602 +
        zz *
          (-0.0027777777777015593 +
            zz * (6.613756321437934e-5 + zz * (-1.6533902205465252e-6 + zz * 4.1381367970572385e-8))));
  const r = (z * series) / (series - 2) - (w + z * w);
  const result = 1 - (r - z);
  const resultWord = (highWord(result) + (whole << 20)) | 0;
  return sign * (resultWord >> 20 <= 0 ? scaleDown(result, whole) : withHighWord(result, resultWord));
}
