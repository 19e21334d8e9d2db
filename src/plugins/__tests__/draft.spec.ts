import type { IDocumentManager } from '@jupyterlab/docmanager';
import { describe, expect, it } from 'vitest';
import { openDraft } from '../draft';

/** The paths on the disk and the texts in open tabs, as JupyterLab's document manager and contents keep them. */
function lab(disk: string[], tabs: Record<string, string>) {
  const files = new Set(disk);
  const texts = new Map(Object.entries(tabs));
  const widget = (path: string) => ({
    context: {
      ready: Promise.resolve(),
      model: {
        sharedModel: { setSource: (text: string) => texts.set(path, text) }
      }
    }
  });
  const documents = {
    newUntitled: async () => {
      let path = 'untitled.yaml';
      for (let n = 1; files.has(path); n++) {
        path = `untitled${n}.yaml`;
      }
      files.add(path);
      return { path };
    },
    findWidget: (path: string) => (texts.has(path) ? widget(path) : undefined),
    openOrReveal: (path: string) => {
      texts.set(path, texts.get(path) ?? '');
      return widget(path);
    },
    services: {
      contents: {
        rename: async (from: string, to: string) => {
          if (files.has(to)) {
            throw new Error('409 File already exists');
          }
          files.delete(from);
          files.add(to);
          return { path: to };
        }
      }
    }
  };
  return {
    documents: documents as unknown as IDocumentManager,
    files,
    tabs: () => Object.fromEntries(texts)
  };
}

describe('openDraft', () => {
  it('names the file after the connection', async () => {
    const { documents, files, tabs } = lab([], {});
    await openDraft(documents, 'team.yaml', 'draft');
    expect([...files]).toEqual(['team.yaml']);
    expect(tabs()).toEqual({ 'team.yaml': 'draft' });
  });

  it('writes over no file', async () => {
    const { documents, files, tabs } = lab(['team.yaml'], {});
    await openDraft(documents, 'team.yaml', 'draft');
    expect([...files]).toEqual(['team.yaml', 'untitled.yaml']);
    expect(tabs()).toEqual({ 'untitled.yaml': 'draft' });
  });

  it('writes over no tab whose file is gone from the disk', async () => {
    const { documents, tabs } = lab([], { 'team.yaml': 'not saved' });
    await openDraft(documents, 'team.yaml', 'draft');
    expect(tabs()).toEqual({
      'team.yaml': 'not saved',
      'untitled.yaml': 'draft'
    });
  });

  it('says that it could not where every name is taken by such a tab', async () => {
    const mine = { 'team.yaml': 'not saved', 'untitled.yaml': 'not saved' };
    const { documents, tabs } = lab([], mine);
    await expect(openDraft(documents, 'team.yaml', 'draft')).rejects.toThrow();
    expect(tabs()).toEqual(mine);
  });
});
