// Numbers as the build prints them: a part of Python's formats, digit for digit.

// a whole number that Python holds as a float: JSON alone does not keep the difference
export class Whole {
  constructor(value) {
    this.value = value;
  }
}

const revive = (key, value, context) => {
  if (typeof value !== "number" || !Number.isInteger(value)) return value;
  const source = context?.source ?? String(value);
  if (/[.e]/i.test(source)) return new Whole(value);
  return Number.isSafeInteger(value) ? value : BigInt(source);
};

export const readReply = (text) => JSON.parse(text, revive);

const grouped = (text) => text.replace(/\d+/, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ","));

// digits with a place for a carry in front, cut to `keep` of them; a half goes to the even neighbour
const roundDigits = (digits, keep) => {
  const kept = BigInt(`0${digits.slice(0, keep)}`);
  const rest = digits.slice(keep);
  const up = rest[0] > "5" || (rest[0] === "5" && (/[1-9]/.test(rest.slice(1)) || kept % 2n === 1n));
  return String(kept + (up ? 1n : 0n));
};

// the exact decimal digits of a float and the power of ten of the first one
const exactly = (number) => {
  if (Math.abs(number) >= 1e21) {
    const whole = String(BigInt(Math.abs(number)));
    return [whole, whole.length - 1];
  }
  const [mantissa, exponent] = Math.abs(number).toExponential(100).split("e");
  return [mantissa.replace(".", ""), Number(exponent)];
};

const scientific = (number, places) => {
  let [digits, power] = exactly(number);
  let rounded = roundDigits(digits, places + 1).padStart(places + 1, "0");
  if (rounded.length > places + 1) {
    rounded = rounded.slice(0, -1);
    power += 1;
  }
  return [rounded, power];
};

const withPower = (digits, power) => {
  const mantissa = digits.length > 1 ? `${digits[0]}.${digits.slice(1)}` : digits;
  return `${mantissa}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
};

const fixed = (number, places) => {
  const [digits, power] = exactly(number);
  const keep = power + 1 + places;
  const padded = keep < 0 ? "0" : roundDigits(keep > digits.length ? digits.padEnd(keep + 1, "0") : digits, keep);
  const whole = padded.padStart(places + 1, "0");
  return places ? `${whole.slice(0, -places)}.${whole.slice(-places)}` : whole;
};

const general = (number, precision) => {
  const wanted = Math.max(precision, 1);
  const [digits, power] = scientific(number, wanted - 1);
  if (number === 0) return "0";
  if (power < -4 || power >= wanted) return withPower(digits.replace(/(?<=.)0+$/, ""), power);
  const text = fixed(number, wanted - 1 - power);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
};

// by a format, a zero below zero is printed as zero
const signed = (number, text) => (number < 0 ? `-${text}` : text);

// `{:,.3f}` and its like; null where it is no such format
export const formatted = (number, display) => {
  const found = /^\{:(,?)(?:\.(\d{1,2})([feg]))?\}$/.exec(display ?? "");
  if (!found || !found[3]) return null;
  const [, comma, places, kind] = found;
  const text = { f: fixed, e: (n, p) => withPower(...scientific(n, p)), g: general }[kind](number, Number(places));
  return signed(number, comma ? grouped(text) : text);
};

// a float in full, as short as reads back
const inFull = (number) => {
  const [mantissa, exponent] = Math.abs(number).toExponential().split("e");
  const [digits, power] = [mantissa.replace(".", ""), Number(exponent)];
  if (power < -4 || power >= 16) return signed(number, withPower(digits, power));
  if (power < 0) return signed(number, `0.${"0".repeat(-power - 1)}${digits}`);
  const whole = digits.padEnd(power + 1, "0");
  return signed(number, `${whole.slice(0, power + 1)}.${whole.slice(power + 1) || "0"}`);
};

export const isNumber = (value) => typeof value === "number" || typeof value === "bigint" || value instanceof Whole;

// in plain characters, which a program reads back
export const plainNumber = (value, display) => {
  if (!(value instanceof Whole) && (typeof value === "bigint" || Number.isInteger(value))) return grouped(String(value));
  const number = value instanceof Whole ? value.value : value;
  const whole = Number.isInteger(number) && Math.abs(number) < 1e15;
  const inDigits = () => (Object.is(number, -0) ? "-0" : signed(number, grouped(fixed(number, 0))));
  return formatted(number, display) ?? (whole ? inDigits() : inFull(number));
};

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

// with its power of ten as readers know it: 1.5e-07 becomes 1.5×10⁻⁷
const raised = (_, sign, power) => `×10${sign === "-" ? "⁻" : ""}${[...power].map((digit) => RAISED[digit]).join("")}`;
const withPowers = (text) => text.replace(/e([+-])0*(\d+)$/, raised);

export const printNumber = (value, display) => withPowers(plainNumber(value, display));
