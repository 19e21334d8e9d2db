import * as React from 'react';
import { cleanup } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { draw } from '../../__tests__/draw';
import { part, taskPage } from '../../__tests__/pages';
import { TaskView } from '../task';
import type { MorePods } from '../../wire';

afterEach(cleanup);

const said = (more_pods: MorePods | null, pods = taskPage().pods): string =>
  draw(<TaskView page={taskPage({ pods, more_pods })} />).container
    .textContent ?? '';

describe('the pods of a task', () => {
  const more: MorePods = {
    count: 4800,
    by_phase: { Pending: 50, Running: 4750 },
    in_trouble: 50,
    at_least: false
  };

  it('that are not listed are told as sums, the most first', () => {
    const text = said(more);
    expect(text).toContain(
      '4800 more pods are not listed: Running 4,750, Pending 50. In trouble, of these: 50.'
    );
    expect(text).not.toContain('At least');
  });

  it('may be more where the list is not whole', () => {
    expect(said({ ...more, at_least: true })).toContain(
      'At least 4800 more pods are not listed:'
    );
  });

  it('may be one', () => {
    const one = { ...more, count: 1, by_phase: { Running: 1 }, in_trouble: 0 };
    expect(said(one)).toContain('1 more pod is not listed: Running 1.');
  });

  it('say when none of them is in trouble', () => {
    expect(said({ ...more, in_trouble: 0 })).toContain(
      'None of these is in trouble.'
    );
  });

  it('are all listed where nothing is said', () => {
    expect(said(null)).not.toContain('not listed');
  });

  it('that may not be read are not counted', () => {
    expect(said(more, part<any>(null, 'denied'))).not.toContain('not listed');
  });
});
