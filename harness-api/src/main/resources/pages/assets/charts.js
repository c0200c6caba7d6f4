"use strict";

// Draws the charts of a study from its data. Colours are those of the page, so that light and dark are its business.
const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

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

function overTime(data, xs, name) {
  const unit = data.simulated ? "TFLOP/s, simulated" : "TFLOP/s";
  return {
    ...frame(),
    grid: {left: 64, right: 16, top: 16, bottom: 48},
    xAxis: axis(name, {type: "value", min: 0, splitLine: {show: false}}),
    yAxis: axis(unit, {type: "value", nameGap: 46, min: 0}),
    series: [
      {name: "a trial", type: "scatter", symbolSize: 5, data: xs.map((x, i) => [x, data.tflops[i]]), itemStyle: {color: colour("--bar"), opacity: .7}},
      {name: "best so far", type: "line", step: "end", showSymbol: false, data: xs.map((x, i) => [x, data.best[i]]),
        lineStyle: {color: colour("--second"), width: 2, type: data.simulated ? "dashed" : "solid"}, itemStyle: {color: colour("--second")}},
    ],
  };
}

function parallel(data) {
  const top = Math.max(...data.tflops);
  const bottom = Math.min(...data.tflops);
  const text = {color: colour("--text")};
  const lines = data.axes.map((each, dim) => ({
    dim, name: each.name, type: "category", data: each.values, nameTextStyle: text, nameRotate: 20, nameGap: 12,
    axisLabel: text, axisLine: {lineStyle: {color: colour("--soft")}}}));
  lines.push({dim: data.axes.length, name: "TFLOP/s", type: "value", min: Math.floor(bottom), max: Math.ceil(top), nameTextStyle: text, axisLabel: text,
    axisLine: {lineStyle: {color: colour("--soft")}}});
  return {
    ...frame(),
    tooltip: {show: false},
    visualMap: {show: false, dimension: data.axes.length, min: bottom, max: top, inRange: {color: [colour("--tail"), colour("--bar"), colour("--second")]}},
    parallel: {left: 48, right: 72, top: 72, bottom: 24},
    parallelAxis: lines,
    series: [{type: "parallel", smooth: false, lineStyle: {width: 1, opacity: .45},
      data: data.tflops.map((rate, i) => [...data.axes.map(each => each.places[i] < 0 ? "-" : each.values[each.places[i]]), rate])}],
  };
}

const drawn = new Map();

function draw(box, data) {
  for (const place of box.querySelectorAll("[data-chart]")) {
    const kind = place.dataset.chart;
    if (kind === "parallel") {
      place.style.minWidth = `${Math.max(320, (data.axes.length + 2) * 76)}px`;
    }
    const chart = drawn.get(place) ?? echarts.init(place, null, {renderer: "canvas"});
    drawn.set(place, chart);
    chart.resize();
    chart.setOption(kind === "parallel" ? parallel(data)
      : kind === "time" ? overTime(data, data.seconds, "seconds since the study began")
      : overTime(data, data.tflops.map((_, i) => i + 1), "trials that have ended"), true);
    place.dataset.drawn = "yes";
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
