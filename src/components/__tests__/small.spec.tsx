import * as React from 'react';
import { act, fireEvent, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { draw, inside, ui } from '../../__tests__/draw';
import { Announcer, changed } from '../announce';
import { ShareBar } from '../bar';
import { CopyBox } from '../copy';
import { Keep } from '../keep';
import { ordinal, taskState } from '../labels';
import { Known, Link } from '../words';

describe('Known', () => {
  it('shows unknown as a dash with a name, and zero as zero', () => {
    const { container, rerender } = draw(<Known value={null} />);
    expect(container.textContent).toBe('–');
    expect(container.querySelector('[aria-label="not known"]')).not.toBeNull();
    rerender(inside(<Known value={0} />));
    expect(container.textContent).toBe('0');
  });
});

describe('taskState', () => {
  it('does not say who suspended it: Kueue knows one way, Slurm others', () => {
    const trans = { __: (text: string) => text } as never;
    expect(taskState(trans, 'suspended')).toBe('suspended');
    expect(taskState(trans, 'finished', 'badly')).toBe('failed');
  });
});

describe('Link', () => {
  it('opens elsewhere without a way back, with its host beside it', () => {
    draw(<Link value="https://wiki.example/a" />);
    const link = screen.getByRole('link');
    expect(link.getAttribute('rel')).toBe('noopener noreferrer');
    expect(link.parentElement?.textContent).toContain('(wiki.example)');
  });

  it('is plain text where it may not be a link', () => {
    const { container } = draw(<Link value="javascript:alert(1)" />);
    expect(container.querySelector('a')).toBeNull();
    expect(container.textContent).toBe('javascript:alert(1)');
  });
});

describe('CopyBox', () => {
  it('copies exactly what came', async () => {
    ui.copied.length = 0;
    const value = `kubectl logs '${'x'.repeat(2000)}'\n  # two\n`;
    draw(<CopyBox title="Logs" value={value} />);
    await act(async () => {
      fireEvent.click(screen.getByRole('button', { name: 'Copy' }));
    });
    expect(ui.copied).toEqual([value]);
    expect(screen.getByRole('button', { name: 'Copied' })).toBeTruthy();
    expect(screen.getByRole('region', { name: 'Logs' }).textContent).toBe(
      value
    );
  });

  it('offers nothing where a value may not be copied', () => {
    const { container } = draw(<CopyBox title="Logs" value={null} />);
    expect(screen.queryByRole('button')).toBeNull();
    expect(container.textContent).toContain('Not offered');
  });
});

describe('ShareBar', () => {
  const widths = (container: HTMLElement) =>
    Object.fromEntries(
      Array.from(container.querySelectorAll('rect')).map(rect => [
        rect.getAttribute('class'),
        Number(rect.getAttribute('width'))
      ])
    );

  it('draws borrowed above the share and says both exactly', () => {
    const { container } = draw(
      <ShareBar resource="nvidia.com/gpu" nominal="16" held="24" borrowed="8" />
    );
    expect(screen.getByRole('img').getAttribute('aria-label')).toBe(
      'GPU: 24 held of a share of 16, 8 borrowed'
    );
    expect(widths(container)).toEqual({
      'hpgov-Bar-share': 666,
      'hpgov-Bar-held': 666,
      'hpgov-Bar-borrowed': 334,
      'hpgov-Bar-mark': 4
    });
  });

  it('draws nothing held as nothing', () => {
    const { container } = draw(
      <ShareBar resource="cpu" nominal="1.5" held="0" borrowed="0" />
    );
    expect(widths(container)).toEqual({
      'hpgov-Bar-share': 1000,
      'hpgov-Bar-held': 0
    });
  });

  it('stands a share of zero', () => {
    const { container } = draw(
      <ShareBar resource="cpu" nominal="0" held="0" borrowed="0" />
    );
    expect(widths(container)).toEqual({
      'hpgov-Bar-share': 0,
      'hpgov-Bar-held': 0
    });
  });
});

describe('Announcer', () => {
  it('speaks changes only: nothing at first sight, nothing for a new read', () => {
    const at = (...pairs: Array<[string, string]>) => new Map(pairs);
    const { container, rerender } = draw(
      <Announcer states={at(['a', 'cluster in service'])} />
    );
    const said = () => container.querySelector('[role=status]')?.textContent;
    expect(said()).toBe('');
    rerender(inside(<Announcer states={at(['a', 'cluster in service'])} />));
    expect(said()).toBe('');
    rerender(
      inside(<Announcer states={at(['a', 'cluster failed'], ['b', 'new'])} />)
    );
    expect(said()).toBe('cluster failed');
  });

  it('takes what comes or goes for no change of state', () => {
    expect(changed(new Map([['a', '1']]), new Map([['b', '2']]))).toEqual([]);
  });
});

describe('Keep', () => {
  const rows = (order: string[]) =>
    inside(
      <Keep label="Rows">
        {order.map(key => (
          <button key={key} data-key={key}>
            {key}
          </button>
        ))}
      </Keep>
    );

  it('gives the focus back to the row that moved', () => {
    const { rerender } = draw(null);
    rerender(rows(['a', 'b', 'c']));
    screen.getByText('c').focus();
    rerender(rows(['c', 'a', 'b']));
    expect(document.activeElement?.textContent).toBe('c');
    rerender(rows(['b', 'a', 'c']));
    expect(document.activeElement?.textContent).toBe('c');
  });

  it('has the focus itself when the row is gone, and takes none from elsewhere', () => {
    const { rerender } = draw(null);
    rerender(rows(['a', 'b']));
    screen.getByText('b').focus();
    rerender(rows(['a']));
    expect(document.activeElement).toBe(screen.getByRole('region'));
    (document.activeElement as HTMLElement).blur();
    rerender(rows(['a', 'b']));
    expect(document.activeElement).toBe(document.body);
  });

  it('keeps the scroll', () => {
    const { rerender } = draw(null);
    rerender(rows(['a', 'b']));
    const region = screen.getByRole('region');
    region.scrollTop = 40;
    rerender(rows(['b', 'a', 'c']));
    expect(region.scrollTop).toBe(40);
  });
});

describe('ordinal', () => {
  it.each([
    [1, 'en', '1st'],
    [2, 'en', '2nd'],
    [3, undefined, '3rd'],
    [11, 'en', '11th'],
    [22, 'en', '22nd'],
    [3, 'pt-BR', '3º'],
    [3, 'zh-CN', '第 3'],
    [3, 'de', '3.']
  ])('writes %d in %s as %s', (n, locale, shown) => {
    expect(ordinal(n, locale)).toBe(shown);
  });
});
