/** At most this many characters of any upstream string reach the screen. */
export const TEXT_LIMIT = 512;

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;

/** One invisible character as something that can be seen and can't act: a control picture, or its code point in brackets. */
function visible(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20) {
    return String.fromCodePoint(0x2400 + code);
  }
  if (code === 0x7f) {
    return '\u2421';
  }
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/**
 * The one way by which an upstream string reaches the screen (S7): at most 512 characters, and whatever can't be seen
 * (controls, bidirectional overrides, line separators, lone surrogates) is made visible. What comes out is text, never markup;
 * `Text` puts it into `<bdi>` so that its direction stays its own. Only text that our own server finished to be copied has another limit.
 */
export function text(value: string, limit = TEXT_LIMIT): string {
  let out = '';
  for (const char of value) {
    const shown = INVISIBLE.test(char) ? visible(char) : char;
    if (out.length + shown.length > limit - 1) {
      return out + '…';
    }
    out += shown;
  }
  return out;
}
