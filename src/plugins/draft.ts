import type { IDocumentManager } from '@jupyterlab/docmanager';

/**
 * A new YAML file in an editor tab, holding the draft, not saved: the person decides what becomes of it. Where its name is taken, nothing of
 * hers is written over: the draft keeps the name that JupyterLab gave it. Taken is also the name of a tab whose file is gone from the disk:
 * what it holds may be hers and not saved anywhere.
 */
export async function openDraft(
  documents: IDocumentManager,
  name: string,
  draft: string
): Promise<void> {
  const open = (path: string) => documents.findWidget(path, null);
  const file = await documents.newUntitled({
    path: '',
    type: 'file',
    ext: '.yaml'
  });
  const { path } = open(name)
    ? file
    : await documents.services.contents
        .rename(file.path, name)
        .catch(() => file);
  const widget = open(path) ? undefined : documents.openOrReveal(path);
  if (!widget) {
    throw new Error('no editor');
  }
  await widget.context.ready;
  widget.context.model.sharedModel.setSource(draft);
}
