// The tiles of a map: what an SM does from when to when, and that in words.
const us = ns => `${(ns / 1000).toFixed(2)} µs`;

// The bars of a row: what it is, from when to when, and which tile of how many.
export function bars(map, row) {
  if (row.state !== "busy") {
    return [{kind: row.state, from: 0, to: map.endNs}];
  }
  const found = [];
  const times = row.times.length > 0 ? row.times : [row.fromNs, row.toNs];
  for (let i = 0, covered = 0; i < times.length; i += 2) {
    if (row.times.length > 0 && times[i] > covered) {
      found.push({kind: "gap", from: covered, to: times[i]});
    }
    covered = Math.max(covered, times[i + 1]);
    found.push({kind: "tile", from: times[i], to: times[i + 1], tile: i / 2, lane: row.laneOf[i / 2] ?? 0});
  }
  if (row.toNs < map.endNs) {
    found.push({kind: "tail", from: row.toNs, to: map.endNs});
  }
  return found;
}

// A bar in words.
export function says(map, row, bar) {
  const time = `from ${(bar.from / 1000).toFixed(2)} to ${us(bar.to)} (${us(bar.to - bar.from)})`;
  const all = row.times.length / 2;
  const answer = bar.tile === 0 ? map.answers.first : map.answers.later;
  return `${map.name}, SM ${row.sm}: ` + {
    held: "held by somebody else", idle: "no tile", gap: `no tile ${time}, a gap`, tail: `idle ${time}, to the end`,
    tile: all === 0 ? `${row.tiles} tiles ${time}` : `tile ${bar.tile + 1} of ${all} ${time}${answer ? `; ${answer}` : ""}`,
  }[bar.kind];
}
