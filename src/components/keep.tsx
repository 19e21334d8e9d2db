import * as React from 'react';

interface IKept {
  key: string | null;
  top: number;
  left: number;
}

/**
 * A scrolling region in which a refresh moves neither focus nor scroll. Rows that change places are moved in the document, and a browser
 * takes the focus from a moved node; what may have the focus carries `data-key`, and gets it back. If its row is gone, the region has it.
 */
export class Keep extends React.Component<{
  label: string;
  children: React.ReactNode;
}> {
  override getSnapshotBeforeUpdate(): IKept | null {
    const region = this._region.current;
    if (!region) {
      return null;
    }
    const active = document.activeElement;
    const inside =
      active instanceof HTMLElement &&
      active !== region &&
      region.contains(active);
    return {
      key: inside ? (active.dataset.key ?? '') : null,
      top: region.scrollTop,
      left: region.scrollLeft
    };
  }

  override componentDidUpdate(
    _props: unknown,
    _state: unknown,
    kept: IKept | null
  ): void {
    const region = this._region.current;
    if (!kept || !region) {
      return;
    }
    if (kept.key !== null && !region.contains(document.activeElement)) {
      const again = Array.from(
        region.querySelectorAll<HTMLElement>('[data-key]')
      ).find(element => element.dataset.key === kept.key);
      this._restoring = true;
      (again ?? region).focus({ preventScroll: true });
      this._restoring = false;
    }
    region.scrollTop = kept.top;
    region.scrollLeft = kept.left;
  }

  override render(): JSX.Element {
    return (
      <div
        className="hpgov-Scroll"
        ref={this._region}
        role="region"
        aria-label={this.props.label}
        tabIndex={0}
        onFocus={this._reveal}
      >
        {this.props.children}
      </div>
    );
  }

  /** A browser leaves what is cut at the table's edge as it is, and who came to it by Tab would see half of it. */
  private _reveal = ({ target }: React.FocusEvent<HTMLElement>): void => {
    if (
      !this._restoring &&
      target !== this._region.current &&
      typeof target.scrollIntoView === 'function' &&
      target.matches(':focus-visible')
    ) {
      target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }
  };
  private _restoring = false;
  private _region = React.createRef<HTMLDivElement>();
}
