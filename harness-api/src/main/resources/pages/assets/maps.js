// Maps of SMs: a row for each SM, a bar for each tile. Maps that stand side by side have one axis of time and one
// pointer.
import {draw} from "./map-picture.js";
import {bars, says} from "./map-tiles.js";

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
  const isOfBrowser = event.ctrlKey || event.metaKey || event.altKey;
  if (isOfBrowser || step === undefined && factor === undefined && side === undefined) {
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
