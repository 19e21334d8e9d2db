import { describe, expect, it } from 'vitest';
import { nullTranslator } from '@jupyterlab/translation';
import { amount, compare, larger, perMille, some } from '../amount';
import { link } from '../link';
import { plain, spoken } from '../phrase';
import { text, TEXT_LIMIT } from '../text';
import { ageOf, clockFrom, contractDate, duration, localeTag } from '../time';

const trans = nullTranslator.load('hpgov_jlab');

describe('text', () => {
  it('leaves ordinary text of any script alone', () => {
    expect(text('Größe 名前 שם job-1')).toBe('Größe 名前 שם job-1');
  });

  it.each([
    ['\u202e', '⟨U+202E⟩'],
    ['\u2066', '⟨U+2066⟩'],
    ['\u200b', '⟨U+200B⟩'],
    ['\ufeff', '⟨U+FEFF⟩'],
    ['\u2028', '⟨U+2028⟩'],
    ['\u0000', '␀'],
    ['\n', '␊'],
    ['\u001b', '␛'],
    ['\u007f', '␡'],
    ['\u0085', '⟨U+0085⟩'],
    ['\ud800', '⟨U+D800⟩'],
    ['\ue000', '⟨U+E000⟩'],
    ['\u{e0041}', '⟨U+E0041⟩']
  ])('makes %j visible', (char, shown) => {
    expect(text(`a${char}b`)).toBe(`a${shown}b`);
  });

  it('cuts what is too long, also when its characters grow', () => {
    expect(text('x'.repeat(2000))).toHaveLength(TEXT_LIMIT);
    expect(text('x'.repeat(2000)).endsWith('…')).toBe(true);
    expect(text('\u202e'.repeat(2000)).length).toBeLessThanOrEqual(TEXT_LIMIT);
    expect(text('x'.repeat(TEXT_LIMIT - 1))).toBe('x'.repeat(TEXT_LIMIT - 1));
  });
});

describe('link', () => {
  it('keeps https and shows the host', () => {
    expect(link('https://wiki.example/a?b=c#d')).toEqual({
      href: 'https://wiki.example/a?b=c#d',
      host: 'wiki.example'
    });
  });

  it.each([
    'http://wiki.example/',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'https://user@wiki.example/',
    'https://user:pw@wiki.example/',
    'https:\\\\wiki.example',
    'https://wiki.example/\u202egnp.exe',
    ' https://wiki.example/',
    'https://wiki.example/a b',
    '//wiki.example/',
    'mailto:a@example.org',
    'ml-platform@example.org',
    'https://',
    'https://wiki.example/' + 'x'.repeat(3000)
  ])('shows %s as text only', value => {
    expect(link(value)).toBeNull();
  });

  it('shows a lookalike host by its real name', () => {
    expect(link('https://аpple.example/')?.host).toMatch(/^xn--/);
  });
});

describe('amount', () => {
  it.each([
    ['nvidia.com/gpu', '8', '8'],
    ['cpu', '1.5', '1.5'],
    ['cpu', '0.100', '0.1'],
    ['cpu', '-2', '-2'],
    ['memory', '0', '0 B'],
    ['memory', '1073741824', '1 GiB'],
    ['memory', '1610612736', '1.5 GiB'],
    ['memory', '1000000000', '~953.6 MiB'],
    ['memory', '1099511627776', '1 TiB'],
    ['hugepages-2Mi', '2097152', '2 MiB'],
    ['ephemeral-storage', '1536', '1.5 KiB'],
    [
      'nvidia.com/gpu',
      '123456789012345678901234567890',
      '123456789012345678901234567890'
    ],
    ['cpu', '0.00000000000000000001', '0.00000000000000000001'],
    ['memory', 'lots', 'lots'],
    ['cpu', '1e3', '1e3']
  ])('writes %s %s as %s', (resource, value, shown) => {
    expect(amount(resource, value)).toBe(shown);
  });

  it('shows unknown as a dash, never as zero', () => {
    expect(amount('cpu', null)).toBe('–');
  });

  it('compares exactly where floats would not', () => {
    expect(compare('9007199254740993', '9007199254740992')).toBe(1);
    expect(compare('0.3', '0.30')).toBe(0);
    expect(compare('x', '1')).toBeNull();
    expect(larger('10', '9')).toBe('10');
    expect(some('0.0001')).toBe(true);
    expect(some('0.0')).toBe(false);
  });

  it('gives thousandths for drawing only', () => {
    expect(perMille('1', '3')).toBe(333);
    expect(perMille('5', '3')).toBe(1000);
    expect(perMille('-1', '3')).toBe(0);
    expect(perMille('1', '0')).toBeNull();
  });
});

describe('time', () => {
  it('ages by the monotonic clock, whatever the wall clock says', () => {
    let monotonic = 5_000;
    const clock = clockFrom(1000, 5_000, () => monotonic);
    monotonic += 30_000;
    expect(ageOf(clock, 990, null)).toBe(40);
    expect(ageOf(clock, 990, -4)).toBe(36);
  });

  it('never says that something will have been', () => {
    expect(ageOf({ now: () => 1000 }, 2000, null)).toBe(0);
  });

  it.each([
    [0, '0 s'],
    [59.9, '59 s'],
    [60, '1 min'],
    [3600, '1 h'],
    [5400, '1 h 30 min'],
    [86400, '1 d'],
    [200000, '2 d 7 h']
  ])('writes %d seconds as %s', (seconds, shown) => {
    expect(duration(trans, seconds)).toBe(shown);
  });

  it('writes a contract date in UTC', () => {
    expect(contractDate('2026-05-12', 'en')).toBe('May 12, 2026');
    expect(contractDate('soon', 'en')).toBe('soon');
    expect(contractDate('2026-99-99', 'en')).toBe('2026-99-99');
  });

  it('turns Jupyter locales into tags', () => {
    expect(localeTag('pt_BR')).toBe('pt-BR');
    expect(localeTag('zh_CN')).toBe('zh-CN');
    expect(localeTag('default')).toBeUndefined();
    expect(localeTag('!!')).toBeUndefined();
  });
});

describe('spoken', () => {
  const speaker = { trans, locale: 'en', clock: { now: () => 1_796_000_000 } };

  it('puts parameters in, each in its own way', () => {
    const said = spoken(speaker, 'deadline', { limit_seconds: 90 });
    expect(plain(said.text)).toBe('No answer within 1 min.');
    expect(said.text.filter(piece => piece.value)).toEqual([
      { value: true, text: '1 min' }
    ]);
    expect(said.then).not.toBeNull();
  });

  it('shows a code that it does not know, and a missing parameter as a dash', () => {
    expect(plain(spoken(speaker, 'of_a_newer_server', {}).text)).toBe(
      'of_a_newer_server'
    );
    expect(plain(spoken(speaker, 'waits_for', {}).text)).toContain('–');
    const without: Array<{ [name: string]: null }> = [{}, { method: null }];
    for (const params of without) {
      expect(plain(spoken(speaker, 'credentials_expired', params).text)).toBe(
        'AWS says that the credentials have expired, and no newer ones are to be had.'
      );
    }
    expect(
      plain(spoken(speaker, 'credentials_expired', { method: 'env' }).text)
    ).toContain(' (env),');
  });

  it('says a state of ours in its own words, and one of Slurm as it is', () => {
    const sentence = (code: string, state: string) =>
      plain(spoken(speaker, code, { state, partition: 'gpu' }).text);
    expect(sentence('platform_description_not_read', 'not_configured')).toBe(
      "The connection's description was not read (Not configured)."
    );
    expect(sentence('slurm_place_not_up', 'DRAIN')).toBe(
      'Partition gpu is DRAIN.'
    );
  });

  it("says AWS's word for a cluster's state plainly, and one that is new as it is", () => {
    const sentence = (code: string, aws_status: string) =>
      plain(spoken(speaker, code, { aws_status, host: null }).text);
    expect(sentence('attention_cluster_status', 'SystemUpdating')).toBe(
      'State of the cluster: system being updated.'
    );
    expect(sentence('attention_cluster_status', 'Hibernating')).toBe(
      'State of the cluster: Hibernating.'
    );
    expect(sentence('endpoint_none_yet', 'CREATING')).toBe(
      'The EKS cluster has no endpoint yet (state: being created).'
    );
  });

  it('lets no parameter forge a place for another', () => {
    const said = spoken(speaker, 'waits_for', {
      read: 'x\ue0000\ue001 %1 {read} \u202e'
    });
    expect(plain(said.text)).toBe(
      'Waits for another read: x⟨U+E000⟩0⟨U+E001⟩ %1 {read} ⟨U+202E⟩.'
    );
  });
});
