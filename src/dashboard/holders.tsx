import * as React from 'react';
import { keyed } from '../components/keys';
import { useUi } from '../components/ui';
import { Exact, Lasted, Text } from '../components/words';
import { resourceName, some } from '../format/amount';
import { text } from '../format/text';
import type { Holder } from '../wire';

/** What rows of a share need beside themselves, whichever scheduler they are of. */
export interface IRowProps {
  skew: number | null;
  onOpenTask: (uid: string) => void;
}

/** What both kinds of rows say of what holds them; Slurm's list all. */
interface IHeld {
  resource: string;
  holders: readonly Holder[];
  not_attributed: string | null;
  more_holders?: number;
}

/** The heading of a row that unfolds. */
export function Unfold(props: {
  name: string;
  /** What a person calls it; without it by the resource's name. */
  called?: string;
  open: boolean;
  controls: string;
  id: string;
  onToggle: () => void;
}): JSX.Element {
  return (
    <button
      type="button"
      className="hpgov-RowButton hpgov-mod-unfold"
      data-key={text(`unfold ${props.id}`)}
      aria-expanded={props.open}
      aria-controls={props.open ? props.controls : undefined}
      title={text(props.name)}
      onClick={props.onToggle}
    >
      <span aria-hidden="true" className="hpgov-Sign">
        {props.open ? '▾' : '▸'}
      </span>
      <bdi>{text(props.called ?? resourceName(props.name))}</bdi>
    </button>
  );
}

/** The row below one that is unfolded, over all its columns: what holds it. */
export function HoldersRow(
  props: IRowProps & { id: string; columns: number; row: IHeld }
): JSX.Element {
  const { id, columns, row } = props;
  return (
    <tr role="row" id={id} className="hpgov-Unfolded">
      <td role="cell" colSpan={columns}>
        <Holders
          skew={props.skew}
          onOpenTask={props.onOpenTask}
          resource={row.resource}
          holders={row.holders}
          rest={row.not_attributed}
          more={row.more_holders ?? 0}
        />
      </td>
    </tr>
  );
}

/** What holds a row, longest first, how many more do, and what is held by others than those read. */
function Holders(
  props: IRowProps & {
    resource: string;
    holders: readonly Holder[];
    rest: string | null;
    more: number;
  }
): JSX.Element {
  const { trans } = useUi();
  const { resource, holders, rest, more } = props;
  return (
    <div className="hpgov-Holders">
      {holders.length === 0 && rest === null && (
        <p className="hpgov-Muted">
          {trans.__('What holds it could not be read.')}
        </p>
      )}
      {holders.length === 0 && rest !== null && !some(rest) && (
        <p className="hpgov-Muted">{trans.__('Nothing holds it.')}</p>
      )}
      <ul className="hpgov-List">
        {keyed(holders, holder => holder.uid).map(([key, holder]) => (
          <li key={key}>
            <span className="hpgov-Number">
              <Exact resource={resource} value={holder.amount} />
            </span>
            <span>
              <button
                type="button"
                className="hpgov-RowButton"
                data-key={text(`holder ${holder.uid} ${resource}`)}
                onClick={() => props.onOpenTask(holder.uid)}
              >
                <Text value={holder.name} />
              </button>{' '}
              <span className="hpgov-Muted">
                <Text value={holder.kind} />
                {holder.since !== null && (
                  <>
                    {' · '}
                    {trans.__('for')}{' '}
                    <Lasted since={holder.since} skew={props.skew} />
                  </>
                )}
              </span>
              {holder.mine && (
                <span className="hpgov-Tag">
                  {holder.is_space ? trans.__('your Space') : trans.__('yours')}
                </span>
              )}
            </span>
          </li>
        ))}
        {more > 0 && (
          <li className="hpgov-Muted">
            {trans._n(
              '%1 more that began later',
              '%1 more that began later',
              more
            )}
          </li>
        )}
        {rest !== null && some(rest) && (
          <li>
            <span className="hpgov-Number">
              <Exact resource={resource} value={rest} />
            </span>
            <span className="hpgov-Muted">
              {trans.__('held by tasks that are not among those read')}
            </span>
          </li>
        )}
      </ul>
    </div>
  );
}
