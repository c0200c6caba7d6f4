// Maps of SMs: a row for each SM, a bar for each tile. Maps that stand side by side have one axis of time and one
// pointer. Rows and bars lie on whole pixels of the screen, so that many of them make no pattern of their own.
const GUTTER = 34;
const RIGHT = 8;
const AXIS = 30;

const us = ns => `${(ns / 1000).toFixed(2)} µs`;

// The bars of a row: what it is, from when to when, and which tile of how many.
function bars(map, row) {
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
function says(map, row, bar) {
  const time = `from ${(bar.from / 1000).toFixed(2)} to ${us(bar.to)} (${us(bar.to - bar.from)})`;
  const all = row.times.length / 2;
  const answer = bar.tile === 0 ? map.answers.first : map.answers.later;
  return `${map.name}, SM ${row.sm}: ` + {
    held: "held by somebody else", idle: "no tile", gap: `no tile ${time}, a gap`, tail: `idle ${time}, to the end`,
    tile: all === 0 ? `${row.tiles} tiles ${time}` : `tile ${bar.tile + 1} of ${all} ${time}${answer ? `; ${answer}` : ""}`,
  }[bar.kind];
}

// Times at which an axis has its ticks: round steps, as many as have room.
function ticks(group, wide) {
  const least = (group.to - group.from) / Math.max(1, wide / 64);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map(each => each * power).find(each => each >= least);
  const digits = Math.max(0, -Math.floor(Math.log10(step / 1000) + 1e-9));
  const found = [];
  for (let ns = Math.ceil(group.from / step) * step; ns <= group.to; ns += step) {
    found.push([ns, (ns / 1000).toFixed(digits)]);
  }
  return found;
}

function draw(group, map) {
  const ratio = devicePixelRatio;
  const {canvas, rows} = map;
  map.step = Math.round(ratio * Math.max(2 * group.lanes + (group.lanes > 1 ? 1 : 2), Math.min(14, Math.floor(600 / rows.length))));
  const gap = Math.max(1, Math.round(ratio));
  const high = map.step * rows.length;
  canvas.style.height = `${high / ratio + AXIS}px`;
  canvas.width = Math.round(canvas.clientWidth * ratio);
  canvas.height = high + Math.round(AXIS * ratio);
  const left = Math.round(GUTTER * ratio);
  const right = canvas.width - Math.round(RIGHT * ratio);
  map.x = ns => Math.round(left + (ns - group.from) / (group.to - group.from) * (right - left));
  map.ns = x => group.from + (x * ratio - left) / (right - left) * (group.to - group.from);
  const pen = canvas.getContext("2d");
  const fill = {tile: [colour("--bar"), colour("--bar-next")], gap: colour("--bad"), tail: colour("--tail"), idle: colour("--tail"), held: colour("--second")};
  const edge = colour("--edge");
  pen.fillStyle = colour("--panel");
  pen.fillRect(left, 0, right - left, high);
  pen.save();
  pen.beginPath();
  pen.rect(left, 0, right - left, high);
  pen.clip();
  rows.forEach((row, index) => {
    const thick = map.step - gap;
    const lane = Math.floor(thick / map.lanes);
    const y = index * map.step;
    const seen = map.bars[index].filter(bar => bar.to >= group.from && bar.from <= group.to);
    seen.forEach((bar, place) => {
      const [x, end] = [map.x(bar.from), map.x(bar.to)];
      if (bar.kind === "gap" && end === x) {
        return;
      }
      pen.fillStyle = bar.kind === "tile" ? fill.tile[bar.lane % 2] : fill[bar.kind];
      pen.fillRect(x, y, Math.max(1, end - x), thick);
      // The outline of a tile: rows have a gap between them, its start has a line. Of narrow ones lines would be all.
      if (bar.kind === "tile" && end - x > 4 * gap) {
        pen.fillStyle = edge;
        pen.fillRect(x, y, gap, thick);
      }
      // While tiles overlap, each has its lane.
      for (const before of seen.slice(Math.max(0, place - map.lanes), place)) {
        if (bar.kind === "tile" && before.kind === "tile" && before.to > bar.from) {
          pen.fillStyle = fill.tile[before.lane % 2];
          pen.fillRect(x, y + before.lane * lane, map.x(Math.min(bar.to, before.to)) - x, lane);
        }
      }
    });
  });
  pointed(group, map, pen, gap);
  pen.restore();
  axes(group, map, pen, {left, right, high, ratio});
  canvas.dataset.drawn = "yes";
}

// The bar under the pointer, and its time in all maps.
function pointed(group, map, pen, gap) {
  if (group.drag) {
    const [one, other] = [map.x(group.drag[0]), map.x(group.drag[1])];
    pen.fillStyle = colour("--select");
    pen.fillRect(Math.min(one, other), 0, Math.abs(other - one), map.canvas.height);
  }
  if (!group.at) {
    return;
  }
  pen.fillStyle = colour("--text");
  pen.fillRect(map.x(group.at.ns), 0, gap, map.canvas.height);
  if (group.at.map === map) {
    const bar = map.bars[group.at.row][group.at.bar];
    pen.strokeStyle = colour("--focus");
    pen.lineWidth = 2 * gap;
    pen.strokeRect(map.x(bar.from), group.at.row * map.step - gap, Math.max(1, map.x(bar.to) - map.x(bar.from)), map.step + gap);
  }
}

function axes(group, map, pen, {left, right, high, ratio}) {
  const line = Math.max(1, Math.round(ratio));
  pen.font = `${11 * ratio}px sans-serif`;
  pen.fillStyle = colour("--text");
  pen.textBaseline = "middle";
  pen.textAlign = "right";
  const every = Math.ceil(24 * ratio / map.step / 8) * 8;
  const held = map.rows.findIndex(row => row.state === "held");
  map.rows.forEach((row, index) => {
    if (index === held || index % every === 0 && (held < 0 || index < held - every / 2)) {
      pen.fillText(index === held ? "held" : row.sm, left - 5 * ratio, Math.max(6 * ratio, index * map.step + map.step / 2));
    }
  });
  pen.textBaseline = "top";
  pen.fillRect(left, high, right - left, line);
  for (const [ns, text] of ticks(group, (right - left) / ratio)) {
    pen.fillRect(map.x(ns), high, line, 5 * ratio);
    pen.textAlign = map.x(ns) > right - 16 * ratio ? "right" : "center";
    pen.fillText(text, map.x(ns), high + 8 * ratio);
  }
  pen.textAlign = "right";
  pen.fillText("µs", left - 5 * ratio, high + 8 * ratio);
}

function drawAll(group) {
  cancelAnimationFrame(group.frame);
  group.frame = requestAnimationFrame(() => group.maps.forEach(map => draw(group, map)));
}

function point(group, map, row, bar, ns) {
  group.at = {map, row, bar, ns};
  group.output.textContent = says(map, map.rows[row], map.bars[row][bar]);
  drawAll(group);
}

// A part of the run; all of it if there is none, or more than all.
function show(group, from, to) {
  const width = Math.min(group.end, Math.max(10, to - from));
  group.from = Math.min(Math.max(0, from), group.end - width);
  group.to = group.from + width;
  drawAll(group);
}

function zoom(group, factor) {
  const middle = Math.min(group.to, Math.max(group.from, group.at?.ns ?? (group.from + group.to) / 2));
  show(group, factor === 0 ? 0 : middle - (middle - group.from) * factor, factor === 0 ? group.end : middle + (group.to - middle) * factor);
}

function follow(group, map) {
  const {canvas} = map;
  const at = event => map.ns(event.clientX - canvas.getBoundingClientRect().left);
  canvas.addEventListener("pointermove", event => {
    const row = Math.floor((event.clientY - canvas.getBoundingClientRect().top) * devicePixelRatio / map.step);
    const ns = at(event);
    if (group.drag) {
      group.drag[1] = ns;
    }
    // Of tiles that overlap the later one lies below.
    const lane = Math.floor((event.clientY - canvas.getBoundingClientRect().top) * devicePixelRatio % map.step / (map.step / map.lanes));
    const under = map.bars[row]?.flatMap((bar, index) => bar.from <= ns && ns <= bar.to ? [index] : []) ?? [];
    const bar = under.find(index => map.bars[row][index].lane === lane) ?? under[0];
    if (bar !== undefined) {
      point(group, map, row, bar, ns);
    } else if (group.drag) {
      drawAll(group);
    }
  });
  canvas.addEventListener("pointerdown", event => { group.drag = [at(event), at(event)]; });
  canvas.addEventListener("pointerup", () => {
    const [from, to] = [...group.drag ?? [0, 0]].sort((one, other) => one - other);
    group.drag = null;
    if (map.x(to) - map.x(from) > 6) {
      show(group, from, to);
    }
  });
  canvas.addEventListener("dblclick", () => zoom(group, 0));
  canvas.addEventListener("pointerleave", () => { group.at = null; group.drag = null; drawAll(group); });
  canvas.addEventListener("keydown", event => keys(group, map, event));
  const figure = canvas.closest("figure");
  figure.querySelector("[data-keep=png]").addEventListener("click", () => canvas.toBlob(blob => keep("map.png", blob)));
  figure.querySelector("[data-keep=csv]").addEventListener("click", () => keep("map.csv", csv([["sm", "what", "tile", "fromNs", "toNs"],
    ...map.rows.flatMap((row, index) => map.bars[index].map(bar => [row.sm, bar.kind, bar.tile === undefined ? "" : bar.tile + 1, bar.from, bar.to]))])));
}

function keys(group, map, event) {
  const here = group.at?.map === map ? group.at : {row: 0, bar: -1, ns: 0};
  const step = {ArrowUp: -1, ArrowDown: 1, PageUp: -16, PageDown: 16}[event.key];
  const factor = {"+": .5, "=": .5, "-": 2, "0": 0}[event.key];
  const side = {ArrowLeft: -1, ArrowRight: 1}[event.key];
  if (step === undefined && factor === undefined && side === undefined) {
    return;
  }
  event.preventDefault();
  if (factor !== undefined) {
    zoom(group, factor);
    return;
  }
  const row = Math.min(map.rows.length - 1, Math.max(0, here.row + (step ?? 0)));
  const all = map.bars[row];
  const same = Math.max(0, all.findIndex(bar => bar.from <= here.ns && here.ns <= bar.to));
  const bar = side ? Math.min(all.length - 1, Math.max(0, here.bar + side)) : same;
  const ns = side || here.bar < 0 ? (all[bar].from + all[bar].to) / 2 : here.ns;
  if (ns < group.from || ns > group.to) {
    show(group, ns - (group.to - group.from) / 2, ns + (group.to - group.from) / 2);
  }
  point(group, map, row, bar, ns);
}

async function open(box) {
  box.dataset.opened = "yes";
  const maps = await Promise.all([...box.querySelectorAll("canvas[data-map]")].map(async canvas => {
    const answer = await fetch(canvas.dataset.map, {headers: {accept: "application/json"}});
    const map = {canvas, name: canvas.dataset.name, ...await answer.json()};
    return {...map, bars: map.rows.map(row => bars(map, row))};
  }));
  if (maps.length === 0) {
    return;
  }
  const end = Math.max(...maps.map(map => map.endNs));
  const group = {maps, end, lanes: Math.max(...maps.map(map => map.lanes)), from: 0, to: end, output: box.querySelector("output")};
  maps.forEach(map => follow(group, map));
  box.querySelectorAll("[data-zoom]").forEach(button => button.addEventListener("click", () => zoom(group, Number(button.dataset.zoom))));
  new ResizeObserver(() => drawAll(group)).observe(box);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawAll(group));
  drawAll(group);
}

const openAll = () => document.querySelectorAll("[data-maps]:not([data-opened])").forEach(open);
openAll();
document.addEventListener("htmx:afterSettle", openAll);
