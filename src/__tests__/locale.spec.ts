import type { TranslationBundle } from '@jupyterlab/translation';
import { Gettext } from '@jupyterlab/translation';
import { describe, expect, it } from 'vitest';
import portuguese from '../../hpgov_jlab/locale/pt_BR/LC_MESSAGES/hpgov_jlab.json';
import chinese from '../../hpgov_jlab/locale/zh_CN/LC_MESSAGES/hpgov_jlab.json';
import { say, stateLabel } from '../words';

/** A compiled language as JupyterLab's own translator reads it. */
function load(data: typeof portuguese | typeof chinese): TranslationBundle {
  const { '': head, ...texts } = data;
  const bundle = new Gettext({
    domain: head.domain,
    locale: head.language
  });
  bundle.loadJSON(
    { ...texts, '': { ...head, pluralForms: head.plural_forms } },
    head.domain
  );
  return bundle;
}

describe('translations', () => {
  it('reach the words of the server', () => {
    const shown = (name: string) => `<${name}>`;
    const found = [portuguese, chinese].map(data => {
      const trans = load(data);
      return [stateLabel(trans, 'ok'), say(trans, 'k8s_denied', shown)?.text];
    });
    expect(found).toEqual([
      ['Lido', 'Sua função não pode <operation> (<scope>).'],
      ['已读取', '您的角色不能执行 <operation>（<scope>）。']
    ]);
  });

  it('have a form for every number', () => {
    const counted = (trans: TranslationBundle) =>
      [0, 1, 2, 1_000_000].map(n => trans._n('%1 node', '%1 nodes', n));
    expect(counted(load(portuguese))).toEqual([
      '0 nó',
      '1 nó',
      '2 nós',
      '1000000 de nós'
    ]);
    expect(counted(load(chinese))).toEqual([
      '0 个节点',
      '1 个节点',
      '2 个节点',
      '1000000 个节点'
    ]);
  });

  it('leave what they do not know in English', () => {
    expect(load(portuguese).__('A text of %1 that is not there.', 'x')).toBe(
      'A text of x that is not there.'
    );
  });
});
