"use strict";

/** An exact fraction in lowest terms. */
class Fraction {
  constructor(numerator, denominator = 1n) {
    const divisor = greatestCommonDivisor(numerator, denominator);
    this.numerator = numerator / divisor;
    this.denominator = denominator / divisor;
  }

  plus(other) {
    const numerator = this.numerator * other.denominator + other.numerator * this.denominator;
    return new Fraction(numerator, this.denominator * other.denominator);
  }

  isLess(other) {
    return this.numerator * other.denominator < other.numerator * this.denominator;
  }

  toString() {
    return `${this.numerator}/${this.denominator}`;
  }
}

function greatestCommonDivisor(one, other) {
  let [larger, smaller] = [one, other];
  while (smaller > 0n) {
    [larger, smaller] = [smaller, larger % smaller];
  }
  return larger;
}

module.exports = { Fraction };
