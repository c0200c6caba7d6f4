"use strict";

// Draws the charts of a page from its data.

function frame() {
  return {
    animation: false,
    textStyle: {color: colour("--text")},
    // On the canvas: as HTML it would need styles that our policy does not let in.
    tooltip: {renderMode: "richText", backgroundColor: colour("--panel"), borderColor: colour("--line"), textStyle: {color: colour("--text")}},
  };
}

const axis = (name, more) => ({
  name, nameLocation: "middle", nameGap: 28, nameTextStyle: {color: colour("--soft")},
  axisLine: {lineStyle: {color: colour("--soft")}}, axisLabel: {color: colour("--text")},
  splitLine: {lineStyle: {color: colour("--line")}}, ...more,
});

function overTrials(data) {
  const unit = data.simulated ? "TFLOP/s, simulated" : "TFLOP/s";
  return {
    ...frame(),
    grid: {left: 64, right: 16, top: 16, bottom: 48},
    xAxis: axis("trials that have ended", {type: "value", min: 0, splitLine: {show: false}}),
    yAxis: axis(unit, {type: "value", nameGap: 46, min: data.low, axisLabel: {color: colour("--text"), showMinLabel: false}}),
    series: [
      {name: "a trial", type: "scatter", symbolSize: 5, data: data.numbers.map((x, i) => [x, data.tflops[i], data.configs[i]]), itemStyle: {color: colour("--bar"), opacity: .7},
        tooltip: {formatter: ({value}) => `${value[2]}\ntrial ${value[0]}: ${value[1]} ${unit}`}},
      {name: "best so far", type: "line", step: "end", showSymbol: false, data: data.numbers.map((x, i) => [x, data.best[i]]),
        lineStyle: {color: colour("--second"), width: 2, type: data.simulated ? "dashed" : "solid"}, itemStyle: {color: colour("--second")}},
    ],
  };
}

// An axis for each parameter, the rate last. A label has a ground, so that no line strikes it through.
function parallel(data) {
  const [bottom, top] = [Math.min(...data.tflops), Math.max(...data.tflops)];
  const text = {color: colour("--text")};
  const label = {...text, backgroundColor: colour("--back"), padding: [1, 3]};
  const look = {nameTextStyle: text, nameGap: 16, axisLabel: label, axisLine: {lineStyle: {color: colour("--soft")}}};
  const lines = data.axes.map((each, dim) => ({...look, dim, name: each.name, type: "category", data: each.values}));
  lines.push({...look, dim: data.axes.length, name: "TFLOP/s", type: "value", min: Math.floor(bottom), max: Math.ceil(top)});
  return {
    ...frame(),
    visualMap: {show: false, dimension: data.axes.length, min: data.low, max: top, inRange: {color: [colour("--tail"), colour("--bar"), colour("--second")]}},
    parallel: {left: 56, right: 64, top: 40, bottom: 24, axisExpandable: false},
    parallelAxis: lines,
    series: [{type: "parallel", smooth: false, lineStyle: {width: 1, opacity: .45}, emphasis: {lineStyle: {width: 3, opacity: 1}},
      tooltip: {formatter: ({dataIndex}) => `${data.configs[dataIndex]}\n${data.tflops[dataIndex]} TFLOP/s`},
      data: data.tflops.map((rate, i) => [...data.axes.map(each => each.indices[i] < 0 ? "-" : each.values[each.indices[i]]), rate])}],
  };
}

const series = ["--bar", "--second", "--good", "--link"];

const line = (name, style) => ({symbol: "none", silent: true, label: {show: false}, lineStyle: {color: colour(name), type: "dashed", width: 1, ...style}});

// The bounds of a point as a stroke, for no kind of series has any.
function bounds(points, name) {
  return {
    type: "custom", silent: true, itemStyle: {color: colour(name)}, data: points, encode: {x: 0, y: [1, 2]},
    renderItem: (params, api) => {
      const low = api.coord([api.value(0), api.value(1)]);
      const high = api.coord([api.value(0), api.value(2)]);
      return {type: "line", shape: {x1: low[0], y1: low[1], x2: high[0], y2: high[1]}, style: {stroke: colour(name), lineWidth: 2, opacity: .6}};
    },
  };
}

// The effects of a case over the runs of a branch, one kind of GPU beside the other.
function trend(data) {
  const short = commit => (commit ?? "no commit").slice(0, 8);
  const most = Math.max(1, ...data.series.map(each => each.points.length));
  const longest = data.series.find(each => each.points.length === most);
  return {
    ...frame(),
    legend: {top: 0, textStyle: {color: colour("--text")}, data: data.series.map(each => each.gpu)},
    grid: {left: 64, right: 16, top: 36, bottom: 48},
    xAxis: axis("runs, oldest first", {type: "category", data: longest?.points.map(point => short(point.commit)) ?? []}),
    yAxis: axis("takes longer by, %", {type: "value", scale: true, nameGap: 46}),
    series: data.series.flatMap((each, i) => [
      {name: each.gpu, type: "line", symbolSize: 7, data: each.points.map(point => point.percent), itemStyle: {color: colour(series[i % 4])}, lineStyle: {color: colour(series[i % 4]), width: 1},
        markLine: {...line("--bad", {width: 2}), data: [...each.changes.map(change => ({xAxis: each.points.findIndex(point => point.run === change.run)})),
          {yAxis: 0, lineStyle: {color: colour("--soft"), type: "solid", width: 1}}]}},
      bounds(each.points.map((point, x) => [x, point.low, point.high]), series[i % 4]),
    ]),
  };
}

// A point that is shown and does not count.
const hollow = (value, name) => ({value, itemStyle: {color: "transparent", borderColor: colour(name), borderWidth: 1}});

// The blocks of a case of a gate, those of each process by themselves.
function blocks(data) {
  const margins = [data.margins.warn, data.margins.fail].map(percent => ({yAxis: percent}));
  const all = [0, data.margins.fail, data.effect?.low ?? 0, data.effect?.high ?? 0, ...data.stages.flatMap(stage => stage.percent)];
  const round = Math.max(...all) - Math.min(...all) > 4 ? 1 : 2;
  return {
    ...frame(),
    legend: {top: 0, textStyle: {color: colour("--text")}, data: data.stages.map(stage => `process ${stage.number}`)},
    grid: {left: 64, right: 16, top: 36, bottom: 48},
    xAxis: axis("blocks, in the order in which they were timed", {type: "value", minInterval: 1, splitLine: {show: false}}),
    yAxis: axis("takes longer by, %", {type: "value", nameGap: 46, min: Math.floor(round * Math.min(...all)) / round, max: Math.ceil(round * Math.max(...all)) / round}),
    series: data.stages.map((stage, i) => ({
      name: `process ${stage.number}`, type: "scatter", symbolSize: 7, itemStyle: {color: colour(series[i % 4]), opacity: .8}, data: stage.percent.map((percent, at) => at < stage.counted ? [at + 1, percent] : hollow([at + 1, percent], series[i % 4])),
      ...(i > 0 ? {} : {
        markLine: {...line("--warn"), data: margins},
        ...(data.effect ? {markArea: {silent: true, itemStyle: {color: colour("--tail"), opacity: .5}, data: [[{yAxis: data.effect.low}, {yAxis: data.effect.high}]]}} : {}),
      }),
    })),
  };
}

// A figure over M, both logarithmic: a colour for each kernel of a table, the checks as points.
function overM(data, name, value) {
  const log = (title, more) => axis(title, {type: "log", ...more});
  const hue = number => `hsl(${(number - 1) * 137 % 360}, 60%, 50%)`;
  const ends = data.kernels.flatMap(kernel => kernel.stretches);
  // Between the ends of a stretch the time is taken as even in logarithms; a share of a limit is no even line then.
  const steps = 16;
  const stretch = ([from, first, to, last]) => Array.from({length: steps + 1}, (_, i) => {
    const m = from * (to / from) ** (i / steps);
    return [m, value(m, first * (last / first) ** (i / steps))];
  });
  const lines = data.kernels.map(kernel => kernel.stretches.flatMap(each => [...stretch(each), [each[2], null]]));
  const points = (title, time, look) => ({name: title, type: "scatter", symbolSize: 9, data: data.checks.map(check => [check.m, value(check.m, check[time])]), itemStyle: look});
  const checks = [
    points("table at a check", "us", {color: colour("--text")}),
    points("fastest at a check", "fastestUs", {color: "transparent", borderColor: colour("--bad"), borderWidth: 2}),
  ];
  const values = [...lines.flat(), ...checks.flatMap(each => each.data)].map(point => point[1]).filter(each => each !== null);
  const round = each => Number(each.toPrecision(2));
  return {
    ...frame(),
    legend: {top: 0, type: "scroll", textStyle: {color: colour("--text")}},
    grid: {left: 64, right: 16, top: 40, bottom: 48},
    xAxis: log("M", {splitLine: {show: false}, min: Math.min(...ends.map(end => end[0])), max: Math.max(...ends.map(end => end[2]))}),
    yAxis: log(name, {nameGap: 46, min: round(.9 * Math.min(...values)), max: round(1.1 * Math.max(...values))}),
    series: [
      ...data.kernels.map((kernel, i) => ({
        name: `kernel ${kernel.number}`, type: "line", showSymbol: false, connectNulls: false, lineStyle: {width: 3, color: hue(kernel.number)}, itemStyle: {color: hue(kernel.number)},
        data: lines[i],
      })),
      ...checks,
    ],
  };
}

// The best time of each tile scheduler over the SMs that others hold, with its bounds where it was measured.
function overBusySms(data) {
  return {
    ...frame(),
    legend: {top: 0, textStyle: {color: colour("--text")}, data: data.curves.map(each => each.scheduler)},
    grid: {left: 64, right: 16, top: 36, bottom: 48},
    xAxis: axis("SMs that others hold", {type: "value", minInterval: 1, min: data.points[0].busySms, max: data.points.at(-1).busySms, splitLine: {show: false}}),
    yAxis: axis(data.simulated ? "us, simulated" : "us", {type: "value", scale: true, nameGap: 46}),
    series: data.curves.flatMap((each, i) => [
      {name: each.scheduler, type: "line", symbol: ["circle", "rect", "triangle", "diamond"][i % 4], symbolSize: 8, itemStyle: {color: colour(series[i % 4])},
        lineStyle: {color: colour(series[i % 4]), width: 2, type: data.simulated ? "dashed" : "solid"},
        data: each.cells.map((cell, at) => [data.points[at].busySms, cell.us])},
      bounds(each.cells.flatMap((cell, at) => cell.lowUs === null ? [] : [[data.points[at].busySms, cell.lowUs, cell.highUs]]), series[i % 4]),
    ]),
  };
}

// The time at the limit over the time of a launch.
const share = name => data => overM(data, "%", (m, us) => 100 * (data.limits[name].fixedUs + m * data.limits[name].usOfRow) / us);

const kinds = {
  parallel,
  range: data => overM(data, "us of a launch", (m, us) => us),
  bandwidth: share("bandwidth"),
  tensor: share("tensor"),
  busySms: overBusySms,
  trials: overTrials,
  trend,
  blocks,
};

const drawn = new Map();

// The points of a chart, a line each: of what, and its values.
function points(chart) {
  return chart.getOption().series.flatMap(each => each.data.map(point => [each.name ?? "", ...[point?.value ?? point].flat()]));
}

// A chart with what keeps it as a file.
function begin(figure) {
  const chart = echarts.init(figure, null, {renderer: "canvas"});
  drawn.set(figure, chart);
  const says = document.getElementById(figure.getAttribute("aria-describedby"));
  says.replaceChildren("", ...Object.entries({
    CSV: () => keep(`${figure.dataset.chart}.csv`, csv(points(chart))),
    PNG: () => chart.renderToCanvas({pixelRatio: 2, backgroundColor: colour("--back")}).toBlob(blob => keep(`${figure.dataset.chart}.png`, blob)),
  }).flatMap(([name, save]) => {
    const button = Object.assign(document.createElement("button"), {type: "button", className: "link", textContent: name, onclick: save});
    return [" ", button];
  }));
  chart.on("click", ({seriesType, value}) => seriesType === "line" && document.querySelector(`[data-busy="${value?.[0]}"]`)?.click());
  return chart;
}

function draw(box, data) {
  for (const figure of box.querySelectorAll("[data-chart]")) {
    const kind = figure.dataset.chart;
    if (kind === "parallel") {
      figure.style.minWidth = `${Math.max(320, (data.axes.length + 1) * 90)}px`;
    }
    const chart = drawn.get(figure) ?? begin(figure);
    chart.resize();
    chart.setOption(kinds[kind](data), true);
    // Who cannot see it reads it, and who can, too.
    document.getElementById(figure.getAttribute("aria-describedby")).firstChild.data = data.says[kind] ?? "";
    figure.dataset.drawn = "yes";
  }
}

for (const box of document.querySelectorAll("[data-charts]")) {
  let data;
  const load = async () => {
    const answer = await fetch(box.dataset.charts, {headers: {accept: "application/json"}});
    if (answer.ok) {
      data = await answer.json();
      draw(box, data);
    }
  };
  const again = () => data && draw(box, data);
  load();
  if (box.dataset.live === "yes") {
    setInterval(load, 5000);
  }
  addEventListener("resize", again);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
}
