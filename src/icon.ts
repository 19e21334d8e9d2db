import { LabIcon } from '@jupyterlab/ui-components';

/** Nodes of a cluster, a part of them filled: a share. */
export const icon = new LabIcon({
  name: 'hpgov-jlab:icon',
  svgstr:
    '<svg xmlns="http://www.w3.org/2000/svg" width="16" viewBox="0 0 24 24">' +
    '<path class="jp-icon3" fill="#616161" d="M3 3h8v8H3zm10 0h8v8h-8zm2 2v4h4V5zM3 13h8v8H3zm10 0h8v8h-8zm2 2v4h4v-4z"/></svg>'
});
