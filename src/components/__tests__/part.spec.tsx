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

  it.each(STATES.filter(state => state !== 'ok' && state !== 'pending'))(
    'in state %s says whom to ask and what to quote',
    state => {
      const text = read(state, null);
      expect(text).toContain('Ask: the administrator of the cluster');
      expect(text).toContain('list workloads.kueue.x-k8s.io');
    }
  );

  it('has the refused action quoted, which another read may have needed first', () => {
    const { container } = draw(
      <PartView
        part={part(null, 'denied', {
          code: 'no_trust_policy_allows',
          params: { action: 'sts:AssumeRole' }
        })}
        what="Tasks"
      >
        {rows => <p>{rows}</p>}
      </PartView>
    );
    expect(container.textContent).toContain('Quote: sts:AssumeRole');
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

  it('says until when something could be read that now may not, and nothing where it never could', () => {
    const denied = (params: { [name: string]: number }) =>
      draw(
        <PartView part={part<string>(null, 'denied', { params })} what="Tasks">
          {() => null}
        </PartView>
      ).container;
    const was = denied({ readable_until_at: NOW - 60 });
    expect(was.textContent).toContain('Readable until');
    expect(was.querySelector('time')?.dateTime).toBe(
      new Date((NOW - 60) * 1000).toISOString()
    );
    expect(denied({}).textContent).not.toContain('Readable until');
  });

  it('names every namespace in which the same read was refused', () => {
    const refused = (scope: string) =>
      outcome('denied', {
        code: 'k8s_denied',
        params: { operation: 'list pods', scope }
      });
    const last = refused('team-a');
    const both = (data: string | null) =>
      draw(
        <PartView
          part={{
            ...part(data),
            last: data === null ? last : outcome('ok'),
            readings: [last, refused('team-b'), last]
          }}
          what="Tasks"
        >
          {rows => <>{rows}</>}
        </PartView>
      ).container.textContent ?? '';
    for (const text of [both(null), both('ROWS')]) {
      expect(text).toContain('team-a');
      expect(text).toContain('team-b');
    }
    expect(both(null).split('team-a').length).toBe(2);
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
