/**
 * Exact amounts. They travel as decimal strings in the canonical unit of their resource (cpu: cores, memory and storage: bytes,
 * others: pieces) and are never floats: whoever compares 0.1 + 0.2 with 0.3 decides wrongly about a GPU.
 */

/** `digits` / 10 ** `scale`. */
interface IDecimal {
  digits: bigint;
  scale: number;
}

const DECIMAL = /^(-?)(\d{1,40})(?:\.(\d{1,20}))?$/;

function decimal(value: string): IDecimal | null {
  const match = DECIMAL.exec(value);
  if (!match) {
    return null;
  }
  const fraction = match[3] ?? '';
  return {
    digits: BigInt(match[1] + match[2] + fraction),
    scale: fraction.length
  };
}

function same(a: IDecimal, b: IDecimal): [bigint, bigint, number] {
  const scale = Math.max(a.scale, b.scale);
  return [
    a.digits * 10n ** BigInt(scale - a.scale),
    b.digits * 10n ** BigInt(scale - b.scale),
    scale
  ];
}

function written(digits: bigint, scale: number): string {
  const sign = digits < 0n ? '-' : '';
  const raw = (digits < 0n ? -digits : digits)
    .toString()
    .padStart(scale + 1, '0');
  const whole = raw.slice(0, raw.length - scale);
  const fraction = scale
    ? raw.slice(raw.length - scale).replace(/0+$/, '')
    : '';
  return sign + whole + (fraction ? `.${fraction}` : '');
}

/** -1, 0 or 1; null where one of the two is no exact decimal. */
export function compare(a: string, b: string): -1 | 0 | 1 | null {
  const x = decimal(a);
  const y = decimal(b);
  if (!x || !y) {
    return null;
  }
  const [left, right] = same(x, y);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** True for an exact amount above zero. */
export function some(value: string): boolean {
  return compare(value, '0') === 1;
}

/** `part` of `whole` in thousandths, cut to 0..`max`; null where that makes no sense. For drawing only, never for saying. */
export function perMille(
  part: string,
  whole: string,
  max = 1000
): number | null {
  const x = decimal(part);
  const y = decimal(whole);
  if (!x || !y || y.digits <= 0n) {
    return null;
  }
  const [left, right] = same(x, y);
  const share = (left * 1000n) / right;
  const cut = share < 0n ? 0n : share > BigInt(max) ? BigInt(max) : share;
  return Number(cut);
}

/** The larger of two exact amounts; the first where they can't be compared. */
export function larger(a: string, b: string): string {
  return compare(a, b) === -1 ? b : a;
}

const UNITS: ReadonlyArray<readonly [string, bigint]> = [
  ['PiB', 1n << 50n],
  ['TiB', 1n << 40n],
  ['GiB', 1n << 30n],
  ['MiB', 1n << 20n],
  ['KiB', 1n << 10n]
];

/** Bytes in the largest unit that fits: exact with at most three places, otherwise rounded down to one place behind a `~`. */
function bytes(value: IDecimal): string {
  const size = 10n ** BigInt(value.scale);
  const magnitude = value.digits < 0n ? -value.digits : value.digits;
  const unit = UNITS.find(([, factor]) => magnitude >= factor * size);
  if (!unit) {
    return `${written(value.digits, value.scale)} B`;
  }
  const [name, factor] = unit;
  const divisor = factor * size;
  const thousandths = value.digits * 1000n;
  if (thousandths % divisor === 0n) {
    return `${written(thousandths / divisor, 3)} ${name}`;
  }
  return `~${written((value.digits * 10n) / divisor, 1)} ${name}`;
}

/** True for resources that are counted in bytes. */
export function inBytes(resource: string): boolean {
  return /^(?:memory|ephemeral-storage|storage|mem)$|^hugepages-/.test(
    resource
  );
}

/** An exact amount as a person reads it, without its resource: `1.5`, `64 GiB`, `~1.4 TiB`. What is no exact decimal is shown as it came. */
export function amount(resource: string, value: string | null): string {
  if (value === null) {
    return '–';
  }
  const parsed = decimal(value);
  if (!parsed) {
    return value;
  }
  return inBytes(resource)
    ? bytes(parsed)
    : written(parsed.digits, parsed.scale);
}

/** What a person calls a resource; the exact name stays available as a tooltip. */
export function resourceName(resource: string): string {
  switch (resource) {
    case 'cpu':
      return 'CPU';
    case 'nvidia.com/gpu':
      return 'GPU';
    case 'aws.amazon.com/neuroncore':
      return 'NeuronCore';
    case 'aws.amazon.com/neurondevice':
    case 'aws.amazon.com/neuron':
      return 'Neuron';
    case 'vpc.amazonaws.com/efa':
      return 'EFA';
    case 'gres/gpu':
      return 'GPU';
    default:
      return resource.startsWith('nvidia.com/mig-')
        ? `MIG ${resource.slice('nvidia.com/mig-'.length)}`
        : resource.startsWith('gres/gpu:')
          ? `GPU ${resource.slice('gres/gpu:'.length)}`
          : resource;
  }
}

/** Accelerators before CPU before memory before the rest: what a queue is short of stands first. */
function weight(resource: string): number {
  return /^(?:nvidia\.com|aws\.amazon\.com|amd\.com|habana\.ai)\/|^gres\//.test(
    resource
  )
    ? 0
    : resource === 'cpu'
      ? 1
      : inBytes(resource)
        ? 2
        : 3;
}

/** In that order; otherwise as they came. */
export function byWeight<T extends { resource: string }>(
  amounts: readonly T[]
): T[] {
  return [...amounts].sort((a, b) => weight(a.resource) - weight(b.resource));
}
