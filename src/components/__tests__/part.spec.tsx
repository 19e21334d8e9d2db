import * as React from 'react';
import { describe, expect, it } from 'vitest';
import { NOW, STATES, outcome, part } from '../../__tests__/pages';
import { draw } from '../../__tests__/draw';
import type { State } from '../../wire';
import { PartView } from '../part';

const KEEPS: readonly State[] = [
  'ok',
  'pending',
  'unreachable',
  'throttled',
  'expired'
];

function read(state: State, data: string | null): string {
  const { container } = draw(
    <PartView
      part={part(data, state, {
        code: state === 'ok' ? 'read' : 'deadline',
        params: { limit_seconds: 20 }
      })}
      what="Tasks"
    >
      {rows => <p data-testid="rows">{rows}</p>}
    </PartView>
  );
  return container.textContent ?? '';
}

describe('a part', () => {
  it.each(STATES)('in state %s shows data only where it may', state => {
    const text = read(state, 'ROWS');
    expect(text.includes('ROWS')).toBe(KEEPS.includes(state));
  });

  it.each(STATES.filter(state => state !== 'ok'))(
    'in state %s without data says so in words',
    state => {
      const text = read(state, null);
      expect(text).toContain('Tasks');
      expect(text).toContain('No answer within 20 s.');
      expect(text).not.toMatch(/\b0\b(?! s)/);
    }
  );

  it.each<State>([
    'denied',
    'absent',
    'unreachable',
    'throttled',
    'expired',
    'not_configured',
    'invalid'
  ])('in state %s says whom to ask and what to quote', state => {
    const text = read(state, null);
    expect(text).toContain('Ask: the administrator of the cluster');
    expect(text).toContain('list workloads.kueue.x-k8s.io');
  });

  it('shows old data with its age beside a failed last try', () => {
    const text = read('unreachable', 'ROWS');
    expect(text).toContain('ROWS');
    expect(text).toContain('Read 4 min ago');
    expect(text).toContain('Last try');
  });

  it('while a read is under way keeps what there is and adds nothing', () => {
    expect(read('pending', 'ROWS')).toBe('ROWS');
  });

  it('says until when something could be read that now may not', () => {
    const { container } = draw(
      <PartView
        part={{
          ...part<string>(null, 'denied'),
          as_of: NOW - 60
        }}
        what="Tasks"
      >
        {() => null}
      </PartView>
    );
    expect(container.textContent).toContain('Readable until');
  });

  it('names the reads that are missing from what is shown', () => {
    const { container } = draw(
      <PartView
        part={{
          ...part('ROWS'),
          readings: [
            outcome('ok'),
            outcome('denied', { source: 'list rayjobs.ray.io' })
          ]
        }}
        what="Tasks"
      >
        {rows => <>{rows}</>}
      </PartView>
    );
    expect(container.querySelector('summary')?.textContent).toBe(
      '1 read is missing from this'
    );
    expect(container.textContent).toContain('list rayjobs.ray.io');
  });

  it('is never an alert: nothing shouts', () => {
    for (const state of STATES) {
      const { container, unmount } = draw(
        <PartView part={part<string>(null, state)} what="Tasks">
          {() => null}
        </PartView>
      );
      expect(container.querySelector('[role=alert]')).toBeNull();
      unmount();
    }
  });
});
