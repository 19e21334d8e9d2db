import * as React from 'react';
import { ShareBar } from '../components/bar';
import { Keep } from '../components/keep';
import { PartView } from '../components/part';
import { useUi } from '../components/ui';
import { Ago, Exact, Lasted, PhraseLine, Text } from '../components/words';
import { resourceName, some } from '../format/amount';
import { text } from '../format/text';
import type { Holder, KueueShareRow, SharePage, SlurmShareRow } from '../wire';
import { Cohort, Queue } from './queue';

/** The team's share, row by row; each row unfolds into what holds it. Slurm rows have no lending and no borrowing, so they are a table of their own. */
export function ShareView(props: {
  page: SharePage;
  onOpenTask: (uid: string) => void;
}): JSX.Element {
  const { trans } = useUi();
  const { page } = props;
  return (
    <div className="hpgov-Share">
      {page.notes.length > 0 && (
        <ul className="hpgov-List">
          {page.notes.map((note, i) => (
            <li key={`${note.code} ${i}`}>
              <PhraseLine phrase={note} />
            </li>
          ))}
        </ul>
      )}
      <PartView part={page.rows} what={trans.__('Share')}>
        {rows => {
          const kueue = rows.filter(
            (row): row is KueueShareRow => row.kind === 'kueue'
          );
          const slurm = rows.filter(
            (row): row is SlurmShareRow => row.kind === 'slurm'
          );
          return (
            <>
              {page.rows.as_of !== null && (
                <p className="hpgov-Muted">
                  {trans.__('Read')} <Ago at={page.rows.as_of} />
                </p>
              )}
              {rows.length === 0 && (
                <p className="hpgov-Empty">
                  {trans.__('The queue covers no resource.')}
                </p>
              )}
              {kueue.length > 0 && (
                <KueueTable
                  rows={kueue}
                  skew={page.rows.skew}
                  onOpenTask={props.onOpenTask}
                />
              )}
              {slurm.length > 0 && (
                <SlurmTable
                  rows={slurm}
                  skew={page.rows.skew}
                  onOpenTask={props.onOpenTask}
                />
              )}
            </>
          );
        }}
      </PartView>
      <h4>{trans.__('Queue')}</h4>
      <PartView part={page.queue} what={trans.__('Queue')}>
        {queue => <Queue queue={queue} localQueue={page.local_queue} />}
      </PartView>
      <h4>{trans.__('Cohort')}</h4>
      <PartView part={page.cohort} what={trans.__('Cohort')}>
        {sums => <Cohort sums={sums} />}
      </PartView>
    </div>
  );
}

interface IRowProps {
  skew: number | null;
  onOpenTask: (uid: string) => void;
}

function KueueTable(
  props: IRowProps & { rows: readonly KueueShareRow[] }
): JSX.Element {
  const { trans } = useUi();
  return (
    <Keep label={trans.__('Your share')}>
      <table className="hpgov-Table">
        <caption className="hpgov-Hidden">{trans.__('Your share')}</caption>
        <thead>
          <tr>
            <th scope="col">{trans.__('Resource')}</th>
            <th scope="col">{trans.__('Flavor')}</th>
            <th scope="col" className="hpgov-Number">
              {trans.__('Your share')}
            </th>
            <th scope="col" className="hpgov-Number">
              {trans.__('Held')}
            </th>
            <th scope="col" className="hpgov-Number">
              {trans.__('Borrowed')}
            </th>
            <th scope="col" className="hpgov-Number">
              {trans.__('Unclaimed share')}
            </th>
            <th scope="col" className="hpgov-Number">
              {trans.__('May borrow up to')}
            </th>
            <th scope="col" className="hpgov-Number">
              {trans.__('May lend up to')}
            </th>
          </tr>
        </thead>
        <tbody>
          {props.rows.map(row => (
            <KueueRow
              key={`${row.flavor} ${row.resource}`}
              {...props}
              row={row}
            />
          ))}
        </tbody>
      </table>
    </Keep>
  );
}

const COLUMNS = 8;

function KueueRow(props: IRowProps & { row: KueueShareRow }): JSX.Element {
  const { trans } = useUi();
  const { row } = props;
  const [open, setOpen] = React.useState(false);
  const holders = React.useId();
  const key = `${row.flavor} ${row.resource}`;
  const limit = (value: string | null, none: string) =>
    !row.in_cohort ? (
      trans.__('no cohort')
    ) : value === null ? (
      none
    ) : (
      <Exact resource={row.resource} value={value} />
    );
  return (
    <>
      <tr>
        <th scope="row">
          <Unfold
            name={row.resource}
            open={open}
            controls={holders}
            id={key}
            onToggle={() => setOpen(!open)}
          />
          <ShareBar
            resource={row.resource}
            nominal={row.nominal}
            held={row.held}
            borrowed={row.borrowed}
          />
          {row.holders.some(holder => holder.is_space && holder.mine) && (
            <div className="hpgov-Muted">
              {trans.__('Your Space is in it.')}
            </div>
          )}
        </th>
        <td>
          <Text value={row.flavor} />
        </td>
        <td className="hpgov-Number">
          <Exact resource={row.resource} value={row.nominal} />
        </td>
        <td className="hpgov-Number">
          <Exact resource={row.resource} value={row.held} />
          {row.admitted !== null && row.admitted !== row.held && (
            <div className="hpgov-Muted">
              <Exact resource={row.resource} value={row.admitted} />{' '}
              {trans.__('admitted')}
            </div>
          )}
        </td>
        <td className="hpgov-Number">
          <Exact resource={row.resource} value={row.borrowed} />
        </td>
        <td className="hpgov-Number">
          <Exact resource={row.resource} value={row.unclaimed} />
        </td>
        <td className="hpgov-Number">
          {limit(row.may_borrow_up_to, trans.__('no limit of its own'))}
        </td>
        <td className="hpgov-Number">
          {limit(row.may_lend_up_to, trans.__('all of it'))}
        </td>
      </tr>
      {open && (
        <tr id={holders} className="hpgov-Unfolded">
          <td colSpan={COLUMNS}>
            <Holders
              {...props}
              resource={row.resource}
              holders={row.holders}
              rest={row.not_attributed}
            />
          </td>
        </tr>
      )}
    </>
  );
}

function SlurmTable(
  props: IRowProps & { rows: readonly SlurmShareRow[] }
): JSX.Element {
  const { trans } = useUi();
  return (
    <Keep label={trans.__('Limits and what is held')}>
      <table className="hpgov-Table">
        <caption className="hpgov-Hidden">
          {trans.__('Limits and what is held')}
        </caption>
        <thead>
          <tr>
            <th scope="col">{trans.__('Resource')}</th>
            <th scope="col">{trans.__('Set on')}</th>
            <th scope="col" className="hpgov-Number">
              {trans.__('Limit')}
            </th>
            <th scope="col" className="hpgov-Number">
              {trans.__('Held')}
            </th>
            <th scope="col">{trans.__('Enforced')}</th>
          </tr>
        </thead>
        <tbody>
          {props.rows.map(row => (
            <SlurmRow
              key={`${row.scope} ${row.name} ${row.resource}`}
              {...props}
              row={row}
            />
          ))}
        </tbody>
      </table>
    </Keep>
  );
}

function SlurmRow(props: IRowProps & { row: SlurmShareRow }): JSX.Element {
  const { trans } = useUi();
  const { row } = props;
  const [open, setOpen] = React.useState(false);
  const holders = React.useId();
  const key = `${row.scope} ${row.name} ${row.resource}`;
  return (
    <>
      <tr>
        <th scope="row">
          <Unfold
            name={row.resource}
            open={open}
            controls={holders}
            id={key}
            onToggle={() => setOpen(!open)}
          />
        </th>
        <td>
          {row.scope === 'association'
            ? trans.__('association')
            : trans.__('QoS')}{' '}
          <Text value={row.name} />
        </td>
        <td className="hpgov-Number">
          {row.limit === null ? (
            trans.__('no limit set')
          ) : (
            <Exact resource={row.resource} value={row.limit} />
          )}
        </td>
        <td className="hpgov-Number">
          <Exact resource={row.resource} value={row.held} />
        </td>
        <td>
          {row.enforced === null
            ? '–'
            : row.enforced
              ? trans.__('yes')
              : trans.__('limit recorded, not enforced here')}
        </td>
      </tr>
      {open && (
        <tr id={holders} className="hpgov-Unfolded">
          <td colSpan={5}>
            <Holders
              {...props}
              resource={row.resource}
              holders={row.holders}
              rest={null}
            />
          </td>
        </tr>
      )}
    </>
  );
}

function Unfold(props: {
  name: string;
  open: boolean;
  controls: string;
  id: string;
  onToggle: () => void;
}): JSX.Element {
  return (
    <button
      type="button"
      className="hpgov-RowButton"
      data-key={text(`unfold ${props.id}`)}
      aria-expanded={props.open}
      aria-controls={props.open ? props.controls : undefined}
      title={text(props.name)}
      onClick={props.onToggle}
    >
      <span aria-hidden="true" className="hpgov-Sign">
        {props.open ? '▾' : '▸'}
      </span>{' '}
      <bdi>{text(resourceName(props.name))}</bdi>
    </button>
  );
}

function Holders(
  props: IRowProps & {
    resource: string;
    holders: readonly Holder[];
    rest: string | null;
  }
): JSX.Element {
  const { trans } = useUi();
  const { resource, holders, rest } = props;
  return (
    <div className="hpgov-Holders">
      {holders.length === 0 && rest === null && (
        <p className="hpgov-Muted">
          {trans.__('What holds it is not readable by your role.')}
        </p>
      )}
      {holders.length === 0 && rest !== null && !some(rest) && (
        <p className="hpgov-Muted">{trans.__('Nothing holds it.')}</p>
      )}
      <ul className="hpgov-List">
        {holders.map(holder => (
          <li key={holder.uid}>
            <span className="hpgov-Number">
              <Exact resource={resource} value={holder.amount} />
            </span>{' '}
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
          </li>
        ))}
        {rest !== null && some(rest) && (
          <li>
            <span className="hpgov-Number">
              <Exact resource={resource} value={rest} />
            </span>{' '}
            <span className="hpgov-Muted">
              {trans.__('held by tasks that are not among those read')}
            </span>
          </li>
        )}
      </ul>
    </div>
  );
}
