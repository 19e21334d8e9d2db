/** Draws a component as the product does: inside its contexts. */
import * as React from 'react';
import { render, type RenderResult } from '@testing-library/react';
import { nullTranslator } from '@jupyterlab/translation';
import { ClockContext, UiContext, type IUi } from '../components/ui';
import { NOW } from './pages';

export const trans = nullTranslator.load('hpgov_jlab');

export const ui: IUi & { copied: string[] } = {
  trans,
  locale: 'en',
  copied: [],
  copy: async text => {
    ui.copied.push(text);
  }
};

export const speaker = {
  trans,
  locale: 'en',
  clock: { now: () => NOW }
};

export function inside(node: React.ReactNode): JSX.Element {
  return (
    <UiContext.Provider value={ui}>
      <ClockContext.Provider value={speaker.clock}>
        {node}
      </ClockContext.Provider>
    </UiContext.Provider>
  );
}

export function draw(node: React.ReactNode): RenderResult {
  return render(inside(node));
}
