/** A link that may be shown as one: where it goes, and the host that the person sees beside it. */
export interface ILink {
  href: string;
  host: string;
}

/**
 * A link from a record, or null when it may only be shown as text (S7): https, no user information, parsed by the browser's own parser
 * so that what is shown is what is opened.
 */
export function link(value: string): ILink | null {
  if (value.length > 2048 || /[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\]/u.test(value)) {
    return null;
  }
  let url: URL;
  try {
    url = new URL(value);
  } catch {
    return null;
  }
  if (url.protocol !== 'https:' || url.username || url.password || !url.host) {
    return null;
  }
  return { href: url.href, host: url.host };
}
