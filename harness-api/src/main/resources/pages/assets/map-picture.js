// The picture of a map. Rows and bars lie on whole pixels of the screen, so that many of them make no pattern of their
// own.
const GUTTER = 34;
const RIGHT = 8;
const AXIS = 30;

// Times at which an axis has its ticks: round steps, as many as have room.
function ticks(group, wide) {
  const least = (group.to - group.from) / Math.max(1, wide / 40);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map(each => each * power).find(each => each >= least);
  const digits = Math.max(0, -Math.floor(Math.log10(step / 1000) + 1e-9));
  const found = [];
  for (let ns = Math.ceil(group.from / step) * step; ns <= group.to; ns += step) {
    found.push([ns, (ns / 1000).toFixed(digits)]);
  }
  return found;
}

export function draw(group, map) {
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
      pen.fillRect(x, y, Math.max(1, end - x), bar.kind === "held" ? map.step : thick);
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
