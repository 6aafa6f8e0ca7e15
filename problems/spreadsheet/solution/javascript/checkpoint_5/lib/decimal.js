'use strict';

const { NUM, DIV0 } = require('./errors');

/** Results are rounded to this many significant digits. */
const PRECISION = 24;
/** Magnitudes from 10^MAX_EXPONENT on are `#NUM!`, those below 10^-MAX_EXPONENT are 0. */
const MAX_EXPONENT = 100;
/** Exponents of powers are at most this large. */
const MAX_POWER = 1000;
/** Whole numbers with as many digits are safe integers. */
const MAX_SAFE_DIGITS = 15;
/** Numbers from 10^PLAIN_FROM on and below 10^PLAIN_BELOW are shown without an exponent. */
const PLAIN_FROM = -7;
const PLAIN_BELOW = 24;

const LITERAL = /^([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;

const POWERS_OF_TEN = [];

/** @returns {bigint} 10^n */
function powerOfTen(n) {
  if (n >= 1000) return 10n ** BigInt(n);
  while (POWERS_OF_TEN.length <= n) {
    POWERS_OF_TEN.push(POWERS_OF_TEN.length === 0 ? 1n : POWERS_OF_TEN[POWERS_OF_TEN.length - 1] * 10n);
  }
  return POWERS_OF_TEN[n];
}

const PRECISION_LIMIT = powerOfTen(PRECISION);

function abs(bigint) {
  return bigint < 0n ? -bigint : bigint;
}

function digitCount(magnitude) {
  return magnitude.toString().length;
}

/**
 * A decimal number: coefficient * 10^exponent. The coefficient has at most PRECISION digits; the same number can
 * have several representations. What an operation gives may be an error instead (`#NUM!`, `#DIV/0!`).
 */
class Decimal {
  constructor(coefficient, exponent) {
    this.coefficient = coefficient;
    this.exponent = exponent;
  }

  static fromInteger(integer) {
    return round(BigInt(integer), 0);
  }

  /** @returns {Decimal | ErrorValue | null} the value of a literal without a sign, null if `text` is none */
  static fromLiteral(text) {
    const match = LITERAL.exec(text);
    if (match === null) return null;
    const [, whole, fraction = '', exponent = '0'] = match;
    const digits = (whole + fraction).replace(/^0+/, '');
    if (digits === '') return Decimal.ZERO;

    // Far more digits than are needed are replaced by one that only tells whether any of them is not 0.
    const kept = digits.slice(0, PRECISION + 2);
    const isExact = /^0*$/.test(digits.slice(kept.length));
    const coefficient = BigInt(kept) * 10n + (isExact ? 0n : 1n);

    // Both the exponent and the number of digits may be huge.
    const shift = BigInt(exponent) + BigInt(digits.length - kept.length - fraction.length - 1);
    const adjusted = shift + BigInt(kept.length);
    if (adjusted > MAX_EXPONENT) return NUM;
    if (adjusted < -MAX_EXPONENT - 1) return Decimal.ZERO;
    return round(coefficient, Number(shift));
  }

  /** Like `fromLiteral`, but one sign may stand before the literal. */
  static fromSignedLiteral(text) {
    const sign = text[0];
    if (sign !== '+' && sign !== '-') return Decimal.fromLiteral(text);
    const magnitude = Decimal.fromLiteral(text.slice(1));
    return sign === '-' && magnitude instanceof Decimal ? magnitude.negate() : magnitude;
  }

  isZero() {
    return this.coefficient === 0n;
  }

  sign() {
    if (this.coefficient === 0n) return 0;
    return this.coefficient < 0n ? -1 : 1;
  }

  negate() {
    return new Decimal(-this.coefficient, this.exponent);
  }

  add(other) {
    const [a, b, exponent] = align(this, other);
    return round(a + b, exponent);
  }

  subtract(other) {
    return this.add(other.negate());
  }

  multiply(other) {
    return round(this.coefficient * other.coefficient, this.exponent + other.exponent);
  }

  divide(other) {
    if (other.isZero()) return DIV0;
    return quotient(this.coefficient, other.coefficient, this.exponent - other.exponent);
  }

  /** A hundredth of the number. */
  percent() {
    return round(this.coefficient, this.exponent - 2);
  }

  power(other) {
    if (!other.isWhole()) return NUM;
    const n = other.toInteger();
    if (Math.abs(n) > MAX_POWER) return NUM;
    if (this.isZero()) {
      if (n === 0) return NUM;
      return n < 0 ? DIV0 : Decimal.ZERO;
    }
    const magnitude = Math.abs(n);
    const coefficient = this.coefficient ** BigInt(magnitude);
    const exponent = this.exponent * magnitude;
    return n < 0 ? quotient(1n, coefficient, -exponent) : round(coefficient, exponent);
  }

  /** @returns {number} negative, 0 or positive, as the number is less than, equal to or greater than `other` */
  compare(other) {
    const [a, b] = align(this, other);
    if (a === b) return 0;
    return a < b ? -1 : 1;
  }

  magnitude() {
    return this.coefficient < 0n ? this.negate() : this;
  }

  /** The greatest whole number that is not greater. */
  floor() {
    if (this.exponent >= 0) return this;
    return round(floorDivide(this.coefficient, powerOfTen(-this.exponent)), 0);
  }

  /** The number rounded to so many decimals (perhaps negative), the middle away from 0. */
  roundTo(decimals) {
    const dropped = -decimals - this.exponent;
    if (dropped <= 0) return this;
    const unit = powerOfTen(dropped);
    const magnitude = (abs(this.coefficient) * 2n + unit) / (unit * 2n);
    return round(this.coefficient < 0n ? -magnitude : magnitude, -decimals);
  }

  /** this - other * q, where q is the greatest whole number not above this / other. */
  modulo(other) {
    if (other.isZero()) return DIV0;
    const [a, b, exponent] = align(this, other);
    return round(a - b * floorDivide(a, b), exponent);
  }

  squareRoot() {
    if (this.isZero()) return this;
    if (this.coefficient < 0n) return NUM;
    // So many zeros that the root of the coefficient has more digits than needed, and that the exponent is even.
    const zeros = 2 * PRECISION + 4 + (this.exponent % 2 === 0 ? 0 : 1);
    const scaled = this.coefficient * powerOfTen(zeros);
    const root = integerRoot(scaled);
    const sticky = root * root === scaled ? 0n : 1n;
    return round(root * 10n + sticky, (this.exponent - zeros) / 2 - 1);
  }

  isWhole() {
    return this.toDigits().exponent >= 0;
  }

  /** A whole number as a JavaScript number; the nearest safe integer if there is none that is equal. */
  toInteger() {
    const { text, exponent } = this.toDigits();
    const magnitude =
      text.length + exponent > MAX_SAFE_DIGITS ? Number.MAX_SAFE_INTEGER : Number(text + '0'.repeat(exponent));
    return this.coefficient < 0n ? -magnitude : magnitude;
  }

  /** The magnitude as text * 10^exponent, the text without zeros at its end, `0` for 0. */
  toDigits() {
    const all = abs(this.coefficient).toString();
    if (all === '0') return { text: '0', exponent: 0 };
    let length = all.length;
    while (all[length - 1] === '0') length -= 1;
    return { text: all.slice(0, length), exponent: this.exponent + all.length - length };
  }

  /** The number as it is shown. */
  toString() {
    const { text, exponent } = this.toDigits();
    const sign = this.coefficient < 0n ? '-' : '';
    const adjusted = text.length - 1 + exponent;
    if (adjusted < PLAIN_FROM || adjusted >= PLAIN_BELOW) {
      const fraction = text.length > 1 ? '.' + text.slice(1) : '';
      return `${sign}${text[0]}${fraction}E${adjusted}`;
    }
    if (exponent >= 0) return sign + text + '0'.repeat(exponent);
    const padded = text.padStart(1 - exponent, '0');
    return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
  }
}

/** The coefficients of `a` and `b` for the same exponent, and this exponent. */
function align(a, b) {
  if (a.exponent === b.exponent) return [a.coefficient, b.coefficient, a.exponent];
  if (a.exponent > b.exponent) {
    return [a.coefficient * powerOfTen(a.exponent - b.exponent), b.coefficient, b.exponent];
  }
  return [a.coefficient, b.coefficient * powerOfTen(b.exponent - a.exponent), a.exponent];
}

/** @returns {bigint} the greatest integer that is not greater than dividend / divisor */
function floorDivide(dividend, divisor) {
  const quotient = dividend / divisor;
  const isExact = dividend % divisor === 0n;
  return isExact || dividend < 0n === divisor < 0n ? quotient : quotient - 1n;
}

/** @returns {bigint} the greatest integer of which the square is not greater than `square`, which is positive */
function integerRoot(square) {
  // Newton's method, from above.
  let root = powerOfTen(Math.ceil(digitCount(square) / 2));
  for (;;) {
    const next = (root + square / root) / 2n;
    if (next >= root) return root;
    root = next;
  }
}

/** @returns {Decimal | ErrorValue} dividend / divisor * 10^exponent, rounded */
function quotient(dividend, divisor, exponent) {
  const missing = PRECISION + 2 + digitCount(abs(divisor)) - digitCount(abs(dividend));
  const shift = Math.max(0, missing);
  const scaled = dividend * powerOfTen(shift);
  const whole = scaled / divisor;
  // One more digit tells whether there is a remainder: nothing else about it can matter for the rounding.
  const isNegative = (dividend < 0n) !== (divisor < 0n);
  const sticky = scaled % divisor === 0n ? 0n : isNegative ? -1n : 1n;
  return round(whole * 10n + sticky, exponent - shift - 1);
}

/** @returns {Decimal | ErrorValue} coefficient * 10^exponent, rounded to PRECISION digits, half to even */
function round(coefficient, exponent) {
  if (coefficient === 0n) return Decimal.ZERO;
  const isNegative = coefficient < 0n;
  let magnitude = isNegative ? -coefficient : coefficient;
  if (magnitude >= PRECISION_LIMIT) {
    const dropped = digitCount(magnitude) - PRECISION;
    const unit = powerOfTen(dropped);
    const twiceRest = (magnitude % unit) * 2n;
    magnitude /= unit;
    exponent += dropped;
    if (twiceRest > unit || (twiceRest === unit && magnitude % 2n === 1n)) magnitude += 1n;
    if (magnitude === PRECISION_LIMIT) {
      magnitude /= 10n;
      exponent += 1;
    }
  }
  if (exponent > MAX_EXPONENT - 1 - PRECISION || exponent < -MAX_EXPONENT) {
    const adjusted = digitCount(magnitude) - 1 + exponent;
    if (adjusted >= MAX_EXPONENT) return NUM;
    if (adjusted < -MAX_EXPONENT) return Decimal.ZERO;
  }
  return new Decimal(isNegative ? -magnitude : magnitude, exponent);
}

/** A sum that is rounded only when it is complete. */
class ExactSum {
  constructor() {
    this.coefficient = 0n;
    this.exponent = 0;
  }

  add(decimal) {
    if (decimal.exponent === this.exponent) {
      this.coefficient += decimal.coefficient;
    } else {
      const [a, b, exponent] = align(this, decimal);
      this.coefficient = a + b;
      this.exponent = exponent;
    }
  }

  /** @returns {Decimal | ErrorValue} */
  rounded() {
    return round(this.coefficient, this.exponent);
  }

  /** @returns {Decimal | ErrorValue} the sum divided by a positive integer, rounded */
  dividedBy(count) {
    return quotient(this.coefficient, BigInt(count), this.exponent);
  }
}

Decimal.ZERO = new Decimal(0n, 0);
Decimal.ONE = new Decimal(1n, 0);

module.exports = { Decimal, ExactSum };
