import { Clipboard } from '@jupyterlab/apputils';

/** Put text on the clipboard; the older way where the page has no permission for the newer one (plain http, an iframe). */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    Clipboard.copyToSystem(text);
  }
}
