// A page with a schedule, and the types behind it.
import React, { useEffect, useState } from 'react';

export interface Slot {
  start: number;
  end: number;
  label?: string;
  overlaps(other: Slot): boolean;
}

type Grouped<T extends Slot> = Record<string, readonly T[]>;

enum View {
  Day = 'day',
  Week = 'week',
}

declare function track(event: string): void;

export abstract class Store<T extends Slot> {
  private slots: T[] = [];
  protected readonly compare = (a: T, b: T): number => a.start - b.start;

  constructor(private readonly name: string, public view: View = View.Day) {}

  abstract load(from: number, to: number): Promise<T[]>;

  find(start: number): T | undefined;
  find(label: string): T | undefined;
  find(key: number | string): T | undefined {
    const isSame = typeof key === 'number' ? (slot: T) => slot.start === key : (slot: T) => slot.label === key;
    return this.slots.filter(isSame)[0];
  }

  async refresh(from: number, to = from + 7): Promise<void> {
    try {
      this.slots = (await this.load(from, to)).sort(this.compare);
    } catch (error) {
      if (error instanceof TypeError && !(error as TypeError).message) throw error;
      this.slots = [];
    }
  }
}

namespace dates {
  export function weekday(day: number): string {
    switch (day % 7) {
      case 0:
        return 'Monday';
      case 5:
      case 6:
        return 'weekend';
      default:
        return `day ${day}`;
    }
  }
}

export function group<T extends Slot>(slots: T[]): Grouped<T> {
  const groups: Grouped<T> = {};
  for (const slot of slots) {
    const key = dates.weekday(slot.start)!;
    groups[key] = [...(groups[key] ?? []), slot];
  }
  return groups satisfies Grouped<T>;
}

export const Schedule: React.FC<{ store: Store<Slot>; from: number }> = ({ store, from }) => {
  const [busy, setBusy] = useState<boolean>(true);

  useEffect(() => {
    let live = true;
    store.refresh(from).then(() => {
      if (live) {
        setBusy(false);
      }
    });
    return () => {
      live = false;
    };
  }, [store, from]);

  return (
    <section className="schedule">
      {/* nothing is shown while it loads */}
      {busy === true ? <p>Loading</p> : <Week store={store} onPick={(slot) => track(slot.label || '')} />}
    </section>
  );
};

export default () => <Schedule store={undefined as never} from={0} />;
