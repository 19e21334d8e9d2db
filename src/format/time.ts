import type { TranslationBundle } from '@jupyterlab/translation';

/**
 * The server's clock as this tab knows it: the server's `now` when its answer arrived, and what the browser's monotonic clock counted since.
 * The browser's wall clock is never asked: it may be an hour off.
 */
export interface IClock {
  /** Epoch seconds by the server's clock. */
  now(): number;
}

/** A clock from one answer. `received` is performance.now() when the answer came. */
export function clockFrom(
  serverNow: number,
  received: number,
  monotonic: () => number = () => performance.now()
): IClock {
  return {
    now: () => serverNow + Math.max(0, monotonic() - received) / 1000
  };
}

/** `pt_BR` as Jupyter writes it, `pt-BR` as Intl wants it. An unusable tag gives the browser's default. */
export function localeTag(code: string | undefined): string | undefined {
  const tag = code?.replace(/_/g, '-');
  if (!tag || tag === 'default') {
    return undefined;
  }
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

/** A duration in its largest fitting unit: `12 s`, `4 min`, `3 h`, `2 d`. */
export function duration(trans: TranslationBundle, seconds: number): string {
  const s = Math.max(0, Math.floor(seconds));
  if (s < 60) {
    return trans.__('%1 s', s);
  }
  if (s < 3600) {
    return trans.__('%1 min', Math.floor(s / 60));
  }
  if (s < 86400) {
    const minutes = Math.floor((s % 3600) / 60);
    return minutes
      ? trans.__('%1 h %2 min', Math.floor(s / 3600), minutes)
      : trans.__('%1 h', Math.floor(s / 3600));
  }
  const hours = Math.floor((s % 86400) / 3600);
  return hours
    ? trans.__('%1 d %2 h', Math.floor(s / 86400), hours)
    : trans.__('%1 d', Math.floor(s / 86400));
}

/** How long ago `at` was, by the server's clock; `skew` is the upstream's clock minus the server's, for times that an upstream wrote. */
export function ageOf(clock: IClock, at: number, skew: number | null): number {
  return Math.max(0, clock.now() + (skew ?? 0) - at);
}

/** A point in time in words of the reader's locale; today's without the date. */
export function pointInTime(
  clock: IClock,
  at: number,
  locale: string | undefined
): string {
  const date = new Date(at * 1000);
  if (Number.isNaN(date.getTime())) {
    return '–';
  }
  const today =
    date.toDateString() === new Date(clock.now() * 1000).toDateString();
  return new Intl.DateTimeFormat(
    locale,
    today ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' }
  ).format(date);
}

/** The same with seconds and zone, for the tooltip. */
export function exactTime(at: number, locale: string | undefined): string {
  const date = new Date(at * 1000);
  return Number.isNaN(date.getTime())
    ? '–'
    : new Intl.DateTimeFormat(locale, {
        dateStyle: 'full',
        timeStyle: 'long'
      }).format(date);
}

/** A date of a contract (`2026-05-12`), which ends at 24:00 UTC, so it is written as UTC. What is no date is shown as it came. */
export function contractDate(
  value: string,
  locale: string | undefined
): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) {
    return value;
  }
  const date = new Date(`${value}T00:00:00Z`);
  return Number.isNaN(date.getTime())
    ? value
    : new Intl.DateTimeFormat(locale, {
        dateStyle: 'medium',
        timeZone: 'UTC'
      }).format(date);
}
